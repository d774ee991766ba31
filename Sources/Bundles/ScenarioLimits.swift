import SimPrimitives

/// What a scenario may hold at most.
public enum ScenarioLimits {
    /// Bytes of a scenario file.
    public static let scenarioBytesMax = 4 << 20
    /// Bytes of a script: as many as the script bridge takes.
    public static let scriptBytesMax = 256 << 10
    /// Bytes of an Info.plist.
    public static let plistBytesMax = 1 << 20
    public static let devices: ClosedRange<Int64> = 1...100_000_000
    /// Ten years of 365 days.
    public static let durationMax = SimDuration.days(3_650)
    public static let personasMax = 256
    /// Files of one arm: a behavior a persona, a strategy, an Info.plist, its updates, and the
    /// scripts that interventions bring.
    public static let filesMax = personasMax + 2 + updatesMax + scriptsBroughtMax
    public static let iosMax = 64
    public static let featuresMax = 64
    public static let funnelsMax = 16
    public static let funnelStepsMax = 31
    public static let armsMax = 32
    public static let interventionsMax = 1_024
    public static let hazardsMax = 32
    /// Regions of `movement`: a bit each.
    public static let checkedRegionsMax = 32
    /// Info.plists that interventions update the app to.
    public static let updatesMax = 32
    /// Scripts that interventions bring.
    public static let scriptsBroughtMax = 64
    public static let thresholdsMax = 256
    /// Purpose keys of an Info.plist.
    public static let purposeKeysMax = 64
    /// Bytes of a name of a persona, feature, funnel, arm or milestone, in UTF-8.
    public static let nameBytesMax = 64
    /// Bytes of any other text: a condition, a file's name, a value of an option.
    public static let textBytesMax = 1_024
    /// Changes of a zone's offset in a bundle: ten years have twenty.
    public static let zoneOffsetsMax = 1_024
    /// Values of `--arm`.
    public static let armsGivenMax = armsMax
    /// Values of `--set`.
    public static let setsMax = 1_000
    /// Years in which a scenario may start.
    public static let startYears: ClosedRange<Int> = 2000...2100
}
