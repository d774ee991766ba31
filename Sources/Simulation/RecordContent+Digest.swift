import AuthorizationCore
import DeviceCore
import SimPrimitives

extension RecordDigest {
    /// Adds a record in its canonical form: its instant, its type and fields, and, where it has
    /// them, names and numbers. `RecordDigest.version` counts the changes of this function.
    mutating func add(_ content: RecordContent, at time: SimTime, names: NameTable) {
        let instant = UInt64(bitPattern: time.microseconds)
        switch content {
        case .installed: add(instant, 0)
        case .opened(let launch): add(instant, Self.word(1, Self.index(launch)))
        case .closed(let closing): add(instant, Self.word(2, Self.index(closing)))
        case .tapped(let feature): add(instant, Self.word(3, 0), names.hash(feature), 0)
        case .feature(let feature, let outcome):
            add(instant, Self.word(4, 0), names.hash(feature), names.hash(outcome))
        case .primer(let id, let answer):
            add(instant, Self.word(5, Self.index(answer)), names.hash(id), 0)
        case .settingsAlert(let answer): add(instant, Self.word(6, Self.index(answer)))
        case .prompt(let shown):
            let flags: UInt64 = (shown.isPrimed ? 1 : 0) | (shown.isExpected ? 2 : 0)
            add(
                instant, Self.word(7, UInt64(shown.kind.index) | flags << 8),
                UInt64(shown.ordinal), UInt64(shown.choices.rawValue))
        case .answer(let given):
            let flags: UInt64 = (given.isPrecise ? 1 : 0) | (given.pick == nil ? 0 : 2)
            add(
                instant,
                Self.word(
                    8, UInt64(given.kind.index) | UInt64(given.choice.index) << 8 | flags << 16),
                given.pick?.share.bitPattern ?? 0, given.pick?.draw.bitPattern ?? 0)
        case .unanswered(let kind, let rule):
            add(instant, Self.word(9, UInt64(kind.index) | Self.index(rule) << 8))
        case .status(let visible, let true_, let rule):
            add(
                instant,
                Self.word(
                    10, Self.index(visible) | Self.index(true_) << 8 | Self.index(rule) << 16))
        case .callback(let status, let accuracy):
            add(
                instant,
                Self.word(11, Self.index(status) | (accuracy.map { Self.index($0) + 1 } ?? 0) << 8))
        case .requestIgnored(let call, let reason, let rule):
            add(
                instant,
                Self.word(12, Self.index(call) | Self.index(reason) << 8 | Self.index(rule) << 16))
        case .settings(let visit):
            switch visit {
            case .row(let row): add(instant, Self.word(13, Self.index(row)))
            case .precise(let on): add(instant, Self.word(13, 16 + (on ? 1 : 0)))
            case .locationServices(let on): add(instant, Self.word(13, 32 + (on ? 1 : 0)))
            }
        case .world(let change): add(instant, Self.word(14, Self.index(change)))
        case .milestone(let name): add(instant, Self.word(15, 0), names.hash(name), 0)
        case .scriptFailure(let place):
            add(
                instant,
                Self.word(16, Self.index(place.code) | UInt64(place.hook.index) << 8),
                UInt64(place.script), UInt64(place.line))
        case .upgraded(let version):
            add(instant, Self.word(17, UInt64(version.major) << 8 | UInt64(version.minor)))
        case .fix(let east, let north):
            addFix(east, north, at: time)
        case .crossing(let region, let isEntry):
            add(instant, Self.word(18, isEntry ? 1 : 0), names.hash(region), 0)
        case .recast(let recast, let script):
            add(instant, Self.word(19, Self.index(recast)), UInt64(script), 0)
        }
    }

    @inline(__always)
    mutating func addFix(_ point: PlanePoint, at time: SimTime) {
        addFix(point.eastMillimeters, point.northMillimeters, at: time)
    }

    /// A position fills the second word: a bit of the first, which no instant has, tells its type.
    @inline(__always)
    private mutating func addFix(_ east: Int32, _ north: Int32, at time: SimTime) {
        add(
            UInt64(bitPattern: time.microseconds) | 1 << 63,
            UInt64(UInt32(bitPattern: east)) << 32 | UInt64(UInt32(bitPattern: north)))
    }

    @inline(__always)
    private mutating func add(
        _ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64
    ) {
        add(first, second)
        add(third, fourth)
    }

    private static func word(_ type: UInt64, _ fields: UInt64) -> UInt64 { type << 56 | fields }

    /// The place among all cases: what the canonical form has for a word.
    ///
    /// The enum is stored as that number, which is cheaper to read than to search.
    @inline(__always)
    private static func index<Word: CaseIterable & Equatable>(_ value: Word) -> UInt64 {
        if MemoryLayout<Word>.size == 1 { return UInt64(unsafeBitCast(value, to: UInt8.self)) }
        if MemoryLayout<Word>.size == 2 { return UInt64(unsafeBitCast(value, to: UInt16.self)) }
        return 0  // An enum of one case.
    }
}
