import CLuaShim

/// Limits of a call that are the shim's.
extension ScriptLimits {
    /// Things that one call of a hook does.
    public static let actsMax = Int(CLUA_ACTS_MAX)
    /// Keys of a table beside its list.
    public static let tableKeysMax = Int(CLUA_KEYS_MAX)
    /// Values of a table's list.
    public static let listValuesMax = Int(CLUA_LIST_MAX)
}
