import SimPrimitives

/// What a fleet has come to at a border: everything that reports are made of.
public struct FleetFigures: Sendable {
    public struct OfArm: Sendable {
        /// One for each group.
        public var groups: [FleetMetrics]
        public var digest: RecordDigest
        /// For each intervention that has acted, on how many devices.
        public var interventions: [InterventionReach]
        /// Each of the arm's thresholds, judged by these figures.
        public var judgements: [Judgement]
        /// For each of `Scenario.judgedConditions`, the devices for which it holds.
        public var judgedCounts: [UInt64]

        public init(
            groups: [FleetMetrics], digest: RecordDigest, interventions: [InterventionReach],
            judgements: [Judgement] = [], judgedCounts: [UInt64] = []
        ) {
            (self.groups, self.digest) = (groups, digest)
            (self.interventions, self.judgements) = (interventions, judgements)
            self.judgedCounts = judgedCounts
        }
    }

    public var at: SimTime
    /// In the order of the arms: the base first.
    public var arms: [OfArm]
    /// For every arm after the base, one for each group.
    public var pairings: [[Pairing]]
    public var events: UInt64
    /// What the engine keeps of all devices in all arms, in bytes.
    public var stateBytes: UInt64
    /// What clients did, and on how many devices, by arm.
    public var journal: [(intervention: Intervention, reach: [InterventionReach])]

    public init(
        at: SimTime, arms: [OfArm], pairings: [[Pairing]], events: UInt64,
        stateBytes: UInt64 = 0,
        journal: [(intervention: Intervention, reach: [InterventionReach])] = []
    ) {
        (self.at, self.arms, self.pairings, self.events) = (at, arms, pairings, events)
        (self.stateBytes, self.journal) = (stateBytes, journal)
    }

    public var digest: RecordDigest { .of(arms: arms.map(\.digest)) }
}
