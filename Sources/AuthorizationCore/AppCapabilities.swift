/// What the rules look at in an app's Info.plist (section 2 of the specification).
///
/// Plain bits, so that it can be handed about at every event without counting references. The
/// purpose keys of I5 are kept by who knows which one a request names.
public struct AppCapabilities: Hashable, Sendable {
    /// I2: NSLocationWhenInUseUsageDescription. An empty text counts as present (D34).
    public var hasWhenInUseText = false
    /// I3: NSLocationAlwaysUsageDescription, which counts on iOS 8 to 10.
    public var hasLegacyAlwaysText = false
    /// I4: NSLocationAlwaysAndWhenInUseUsageDescription, which counts from iOS 11.
    public var hasAlwaysText = false
    /// I6: NSLocationDefaultAccuracyReduced is the Boolean true.
    public var isReducedByDefault = false
    /// I7: UIBackgroundModes contains `location`.
    public var hasLocationBackgroundMode = false
    /// X1: the app is an App Clip. It stands in no Info.plist, and limits what one can give.
    public var isAppClip = false

    /// D34: texts that are there and say nothing.
    public var isWhenInUseTextEmpty = false
    public var isLegacyAlwaysTextEmpty = false
    public var isAlwaysTextEmpty = false
    /// I9: NSLocationRequireExplicitServiceSession is the Boolean true.
    public var hasExplicitSessionKey = false
    /// D12: CLRequireExplicitServiceSession, as a comment in the header has it, is.
    public var hasExplicitSessionHeaderKey = false

    public init() {}
}
