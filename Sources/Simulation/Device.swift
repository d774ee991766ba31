import AuthorizationCore
import DeviceCore
import SimPrimitives

/// One phone with its app and its person. Plain values: a fleet has a million of these, so what is
/// needed only while something is on screen lies in `scene`. Widest fields first: no gaps.
struct Device {
    var phone = Phone()
    var timers = TimerRow()
    /// The ordinal of the next record. Like the occasions it goes round after four billion: a
    /// script can ask for thousands at one instant, for years. It fills the gap behind the timers.
    var recordCount: UInt32 = 0
    var digest: RecordDigest
    /// What is going on on the screen: empty, or one element.
    private var scene: [Scene] = []
    let id: DeviceID
    /// Occasions so far, by purpose: the *k* of the next draw.
    var occasions = Occasions()
    /// Times the app has come to the foreground since it was installed.
    var sessions: UInt32 = 0
    /// Index into the runner's contexts: those of `Scenario.iosMix`, until an upgrade or update.
    var ios: UInt16
    /// Whose figures it counts for: an index into the block's tallies.
    let group: UInt16
    /// The prompts shown so far, by `PromptKind.index`.
    var promptCounts = InlineArray<9, UInt32>(repeating: 0)
    /// What the tallies count this device as.
    var visible = VisibleStatus.notDetermined
    var trueStatus = TrueStatus.notDetermined
    /// The status in the app's last authorization callback, for delegates that hear of it alone.
    var toldStatus: VisibleStatus?
    /// Index into `Scenario.personas`.
    let persona: UInt8
    var installation = Installation.neverLaunched
    /// The pending position will fail.
    var willPositionFail = false
    /// Positions of standard updates change nothing but the place, until something else happens.
    var isFixRoutine = false

    init(id: DeviceID, persona: UInt8, ios: UInt16, group: UInt16) {
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

    /// Whether the app is there, and how often it has been started since.
    enum Installation {
        case absent, neverLaunched, launchedOnce, launchedOften

        mutating func launched() {
            self = self == .neverLaunched ? .launchedOnce : .launchedOften
        }
    }

    var isInstalled: Bool { installation != .absent }

    enum OwnScreen: Hashable {
        case none
        case primer(id: NameID)
        case settingsAlert
    }
}

extension Device {
    /// A session of the person's with the app, or a prompt outside of one.
    private struct Scene {
        var reply = Reply(.dontAllow)
        var ownScreen = OwnScreen.none
        var tappedAt = SimTime.never
        var primedAt = SimTime.never
        var pendingTap: UInt8 = 0
    }

    /// What the person will choose when the `answer` timer falls due.
    var reply: Reply {
        get { scene.first?.reply ?? Reply(.dontAllow) }
        set { change { $0.reply = newValue } }
    }

    /// The app's own screen, if one is up.
    var ownScreen: OwnScreen {
        get { scene.first?.ownScreen ?? .none }
        set { if newValue != .none || !scene.isEmpty { change { $0.ownScreen = newValue } } }
    }

    /// When the person last tapped in this session; `never`: not yet.
    var tappedAt: SimTime {
        get { scene.first?.tappedAt ?? .never }
        set { change { $0.tappedAt = newValue } }
    }

    /// When the person last agreed to a primer; `never` once that is used up.
    var primedAt: SimTime {
        get { scene.first?.primedAt ?? .never }
        set { if newValue != .never || !scene.isEmpty { change { $0.primedAt = newValue } } }
    }

    /// The feature that the `tap` timer is about.
    var pendingTap: UInt8 {
        get { scene.first?.pendingTap ?? 0 }
        set { change { $0.pendingTap = newValue } }
    }

    /// What of the device lies in boxes of its own now.
    var boxBytes: Int { phone.boxBytes + timers.boxBytes + arrayBytes(scene) }

    private mutating func change(_ change: (inout Scene) -> Void) {
        if scene.isEmpty { scene.append(Scene()) }
        change(&scene[0])
    }

    /// Nothing of the session outlasts it but the answer to a prompt that is still on screen.
    mutating func endScene() {
        guard !scene.isEmpty else { return }
        let reply = phone.authorization.prompt == nil ? nil : scene.first?.reply
        scene = []
        if let reply { self.reply = reply }
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
