/// What a draw is for.
///
/// Each purpose has its own streams, so that one more draw in movement leaves every answer to a
/// prompt as it was. Raw values are part of the replay format: append, never renumber.
public enum RandomPurpose: UInt32, CaseIterable, Sendable {
    // Traits of a device: drawn once, occasion 0.
    case persona = 1
    case ios = 2
    case phase = 3
    /// Where the person lives and works.
    case anchors = 4
    // The person.
    case born = 10
    case opening = 11
    case length = 12
    case tap = 13
    case primer = 14
    case settingsAlert = 15
    case day = 16
    // The person's answers to prompts, a purpose a kind.
    case promptWhenInUse = 20
    case promptAlways = 21
    case promptAlwaysUpgrade = 22
    case promptAlwaysConfirm = 23
    case promptBackgroundReminder = 24
    case promptTemporaryFullAccuracy = 25
    case promptLocationButton = 26
    case promptWidget = 27
    case promptServicesOff = 28
    // The rest of the world.
    case move = 40
    case app = 41
    case noise = 42
    case faults = 43
    /// What the system does by itself: idle moments, and processes that it ends.
    case system = 44
    /// Which devices an intervention draws; the occasion is its number in the run.
    case intervention = 45
    /// When a hazard comes, and which one.
    case hazard = 46
    /// How far a position is off.
    case position = 47
}

/// The reproducible draws of one device on one occasion: its third answer to a prompt of this
/// kind, its ninth opening.
///
/// Draw `j` of occasion `k` is Philox of (device, purpose, k, j) under the run's seed, so it
/// depends on nothing else: not on other devices, workers or epochs, and not on how much was drawn
/// before. Two strategies meet the same person in the same mood. Nothing needs to be stored: a
/// stream is made where it is used.
///
/// Deliberately not a `RandomNumberGenerator`: the standard library may change how it turns raw
/// bits into ranges or shuffles, and a replay must outlive a toolchain.
public struct RandomStream: Sendable {
    @usableFromInline let key: Philox.Key
    /// Device, purpose, occasion, draw. The order of these words is the replay format.
    @usableFromInline var counter: Philox.Counter

    @inlinable
    public init(seed: UInt64, device: DeviceID, purpose: RandomPurpose, occasion: UInt32) {
        self.init(
            key: Philox.Key(seed: seed), device: device, purpose: purpose, occasion: occasion)
    }

    @inlinable
    public init(key: Philox.Key, device: DeviceID, purpose: RandomPurpose, occasion: UInt32) {
        self.key = key
        counter = Philox.Counter(device.number, purpose.rawValue, occasion, 0)
    }

    /// The next 64 random bits: the first half of one Philox block.
    ///
    /// - Precondition: fewer than 2³² draws in one occasion.
    @inlinable
    public mutating func next() -> UInt64 {
        let bits = Philox.bits(counter, key: key)
        counter.w += 1
        return UInt64(bits.y) << 32 | UInt64(bits.x)
    }

    /// A number in `0 ..< bound`, every one equally likely.
    ///
    /// Source: Daniel Lemire, "Fast Random Integer Generation in an Interval" (2019).
    public mutating func next(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "an empty range has no numbers to draw")
        var (number, remainder) = next().multipliedFullWidth(by: bound)
        if remainder < bound {
            // Redraw the few remainders that would make small numbers likelier.
            let unfair = (0 &- bound) % bound
            while remainder < unfair {
                (number, remainder) = next().multipliedFullWidth(by: bound)
            }
        }
        return number
    }

    /// A number in 0 ..< 1: a multiple of 2⁻⁵³, every one equally likely.
    @inlinable
    public mutating func uniform() -> Double {
        Double(next() >> 11) * 0x1p-53
    }
}

extension Philox.Key {
    /// The run's seed in two words.
    @inlinable
    public init(seed: UInt64) {
        self.init(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    }
}
