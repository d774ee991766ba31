import CLuaShim

/// The Lua that plays scripts, as `Lua 5.4.6`.
public let luaRelease = String(cString: clua_release())
