import AuthorizationCore
import DeviceCore
import SimPrimitives

/// One phone with its app and its person. Plain values: a fleet has a million of these.
struct Device {
    let id: DeviceID
    /// Index into `Scenario.personas`.
    let persona: UInt16
    /// Index into the runner's contexts: those of `Scenario.iosMix`, until an upgrade or update.
    var ios: UInt16
    /// Whose figures it counts for: an index into the block's tallies.
    let group: UInt16

    var phone = Phone()
    var timers = TimerRow()
    var digest: RecordDigest
    /// The ordinal of the next record.
    var recordCount: UInt32 = 0
    /// Occasions so far, by purpose: the *k* of the next draw.
    var occasions = Occasions()
    /// The prompts shown so far, by `PromptKind.index`.
    var promptCounts = InlineArray<9, UInt16>(repeating: 0)
    /// Times the app has come to the foreground since it was installed.
    var sessions: UInt32 = 0
    /// Processes since the app was installed.
    var launches: UInt32 = 0
    /// What the person will choose when the `answer` timer falls due, and in which prompt.
    var reply = Reply(.dontAllow)
    /// The app's own screen, if one is up.
    var ownScreen = OwnScreen.none
    /// When the person last tapped, and last agreed to a primer; `never` once that is used up.
    var tappedAt = SimTime.never
    var primedAt = SimTime.never
    /// What the tallies count this device as.
    var visible = VisibleStatus.notDetermined
    var trueStatus = TrueStatus.notDetermined
    /// The status in the app's last authorization callback, for delegates that hear of it alone.
    var toldStatus: VisibleStatus?
    var pendingTap: UInt8 = 0
    var isInstalled = true
    /// The pending position will fail.
    var willPositionFail = false

    init(id: DeviceID, persona: UInt16, ios: UInt16, group: UInt16) {
        (self.id, self.persona, self.ios, self.group) = (id, persona, ios, group)
        digest = RecordDigest(device: id.number)
    }

    struct Occasions {
        var opening: UInt32 = 0
        var length: UInt32 = 0
        var tap: UInt32 = 0
        var primer: UInt32 = 0
        var settingsAlert: UInt32 = 0
        var app: UInt32 = 0
        var move: UInt32 = 0
        var system: UInt32 = 0
        var noise: UInt32 = 0
        var day: UInt32 = 0
    }

    enum OwnScreen: Hashable {
        case none
        case primer(id: NameID)
        case settingsAlert
    }
}

/// What a device is from its first instant: drawn once, so that device *i* is the same person in
/// every arm, at every fleet size and on every shard.
public struct DeviceTraits: Hashable, Sendable {
    /// Index into `Scenario.personas`.
    public var persona: Int
    /// Index into `Scenario.iosMix`.
    public var ios: Int

    public init(of id: DeviceID, in scenario: Scenario) {
        self = TraitDraws(scenario).traits(of: id)
    }

    fileprivate init(persona: Int, ios: Int) { (self.persona, self.ios) = (persona, ios) }
}

/// The personas of a scenario's devices, drawn as they are asked for.
public struct TraitTable: Sendable {
    private let draws: TraitDraws

    public init(_ scenario: Scenario) { draws = TraitDraws(scenario) }

    /// The index of the device's persona.
    public func persona(of number: UInt32) -> Int { draws.traits(of: DeviceID(number)).persona }
}

/// Draws the traits of many devices.
struct TraitDraws: Sendable {
    private let seed: UInt64
    private let personas: [Double]
    private let versions: [Double]

    init(_ scenario: Scenario) {
        seed = scenario.seed
        personas = scenario.personas.map(\.weight)
        versions = scenario.iosMix.map(\.weight)
    }

    func traits(of id: DeviceID) -> DeviceTraits {
        DeviceTraits(
            persona: draw(.persona, of: id, weights: personas),
            ios: draw(.ios, of: id, weights: versions))
    }

    private func draw(_ purpose: RandomPurpose, of id: DeviceID, weights: [Double]) -> Int {
        var random = RandomStream(seed: seed, device: id, purpose: purpose, occasion: 0)
        var left = random.uniform() * weights.reduce(0, +)
        for (index, weight) in weights.enumerated() {
            left -= weight
            if left < 0 { return index }
        }
        return weights.count - 1  // Rounding may leave a crumb.
    }
}
