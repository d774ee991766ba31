import AuthorizationCore
import Metrics
import SimPrimitives
import Simulation

extension FleetFigures {
    /// Nothing, in the shape that the figures of these arms have.
    init(of arms: [Arm], groupCount: Int) {
        let base = arms[0].scenario
        self.init(
            at: .start + base.duration,
            arms: arms.map { arm in
                let empty = FleetMetrics(of: arm.scenario)
                let reach = InterventionReach()
                return OfArm(
                    groups: [FleetMetrics](repeating: empty, count: groupCount), digest: .zero,
                    interventions: arm.scenario.interventions
                        .filter { $0.at < .start + base.duration }.map { _ in reach },
                    judgedCounts: arm.scenario.judgedConditions.map { _ in 0 })
            },
            pairings: arms.dropFirst().map { _ in
                [Pairing](repeating: Pairing(funnels: base.funnels), count: groupCount)
            }, events: 0)
    }

    /// - Parameter arms: whose figures they are.
    mutating func archive(_ archive: inout Archive, _ arms: [Arm]) throws(ShardError) {
        try archive.number("events", &events)
        try archive.number("state_bytes", &stateBytes)
        var index = 0
        try archive.list("arms", &self.arms) { (archive, arm) throws(ShardError) in
            try arm.archive(&archive, arms[index].scenario)
            index += 1
        }
        try archive.list("paired", &pairings) { (archive, groups) throws(ShardError) in
            try archive.list("groups", &groups) { (archive, pairing) throws(ShardError) in
                try pairing.archive(&archive)
            }
        }
    }
}

extension FleetFigures.OfArm {
    mutating func archive(_ archive: inout Archive, _ scenario: Scenario) throws(ShardError) {
        var text = digest.description
        try archive.text("digest", &text)
        guard let read = RecordDigest(text) else {
            throw archive.wrong("digest", "32 hexadecimal digits are due")
        }
        digest = read
        try archive.list("interventions", &interventions) { (archive, reach) throws(ShardError) in
            try archive.number("devices", &reach.devices)
            try archive.number("ignored", &reach.ignored)
        }
        try archive.numbers("judged", &judgedCounts)
        try archive.list("groups", &groups) { (archive, metrics) throws(ShardError) in
            try metrics.archive(&archive, scripts: scenario.scripts.count)
        }
    }
}

extension Pairing {
    mutating func archive(_ archive: inout Archive) throws(ShardError) {
        try archive.list("funnels", &funnels) { (archive, steps) throws(ShardError) in
            try archive.list("steps", &steps) { (archive, counts) throws(ShardError) in
                try counts.archive(&archive)
            }
        }
        try archive.object("authorized") { (archive) throws(ShardError) in
            try authorized.archive(&archive)
        }
        try archive.object("authorized_always") { (archive) throws(ShardError) in
            try authorizedAlways.archive(&archive)
        }
    }
}

extension PairedCounts {
    mutating func archive(_ archive: inout Archive) throws(ShardError) {
        try archive.number("both", &both)
        try archive.number("only_arm", &onlyFirst)
        try archive.number("only_base", &onlySecond)
        try archive.number("neither", &neither)
    }
}

extension FleetMetrics {
    /// - Parameter scripts: of the scenario.
    mutating func archive(_ archive: inout Archive, scripts: Int) throws(ShardError) {
        try archive.number("devices", &devices)
        try archive.number("installed", &installed)
        try archive.number("events", &events)
        try archive.number("records", &records)
        try archive.numbers("visible", &visible)
        try archive.numbers("true", &trueStatus)
        try archive.list("prompts", &prompts) { (archive, counts) throws(ShardError) in
            try archive.number("shown", &counts.shown)
            try archive.number("granted", &counts.granted)
            try archive.numbers("choices", &counts.choices)
        }
        guard installed <= devices, visible.reduce(0, +) <= installed,
            trueStatus.reduce(0, +) <= installed,
            prompts.allSatisfy({ $0.granted <= $0.answered && $0.answered <= $0.shown })
        else { throw archive.wrong("devices", "more is counted than there are devices or prompts") }
        try archive.numbers("requests_ignored", &requestsIgnored)
        try activity.archive(&archive)
        try archive.list("hazards", &hazards) { (archive, counts) throws(ShardError) in
            try archive.number("came", &counts.came)
            try archive.number("acted", &counts.acted)
        }
        guard hazards.allSatisfy({ $0.acted <= $0.came }) else {
            throw archive.wrong("hazards", "one acted more often than it came")
        }
        try archiveNamed(&archive)
        try archiveFailures(&archive, scripts: scripts)
        let devices = devices
        try archive.list("funnels", &funnels) { (archive, counts) throws(ShardError) in
            try counts.archive(&archive, devices: devices)
        }
    }

    private mutating func archiveNamed(_ archive: inout Archive) throws(ShardError) {
        try archive.dictionary(
            "features", &features, FeatureOutcome("", ""), 0
        ) { (archive, key, count) throws(ShardError) in
            try archive.name("feature", &key.feature)
            try archive.name("outcome", &key.outcome)
            try archive.number("count", &count)
        }
        try archive.dictionary("milestones", &milestones, "", 0) {
            (archive, name, count) throws(ShardError) in
            try archive.name("name", &name)
            try archive.number("count", &count)
        }
        try archive.dictionary("counters", &counters, "", 0) {
            (archive, name, count) throws(ShardError) in
            try archive.name("name", &name)
            try archive.number("count", &count)
        }
        try archive.dictionary("histograms", &histograms, "", ValueHistogram()) {
            (archive, name, values) throws(ShardError) in
            try archive.name("name", &name)
            try values.archive(&archive)
        }
        var rules = RuleID.allCases.compactMap { rule in crashes[rule].map { (rule, $0) } }
        try archive.list("crashes", &rules, of: (RuleID.st1, 0)) {
            (archive, crash) throws(ShardError) in
            try archive.word("rule", &crash.0)
            try archive.number("count", &crash.1)
        }
        crashes = Dictionary(rules) { first, _ in first }
    }

    private mutating func archiveFailures(
        _ archive: inout Archive, scripts: Int
    ) throws(ShardError) {
        try archive.number("script_failures", &scriptFailures)
        let place = ScriptFailurePlace(
            script: 0, hook: HookName.allCases[0], code: ScriptFailureCode.allCases[0], line: 0)
        let key = RecordKey(time: .start, device: DeviceID(0), ordinal: 0)
        let kind = ScriptFailureKind(
            count: 0, first: FirstScriptFailure(key: key, place: place, message: ""))
        var kinds = scriptFailureKinds.values.sorted { $0.first.key < $1.first.key }
        try archive.list("failure_kinds", &kinds, of: kind) {
            (archive, kind) throws(ShardError) in
            try archive.number("count", &kind.count)
            try kind.first.archive(&archive, scripts: scripts)
        }
        guard archive.isReading else { return }
        scriptFailureKinds = [:]
        for kind in kinds {
            guard scriptFailureKinds.updateValue(kind, forKey: kind.first.place) == nil else {
                throw archive.wrong("failure_kinds", "a kind stands here twice")
            }
        }
    }
}

extension ActivityCounts {
    fileprivate mutating func archive(_ archive: inout Archive) throws(ShardError) {
        try archive.number("openings", &openings)
        try archive.number("openings_ignored", &openingsIgnored)
        try archive.number("closings", &closings)
        try archive.number("fixes_foreground", &fixesForeground)
        try archive.number("fixes_background", &fixesBackground)
        try archive.number("region_entries", &regionEntries)
        try archive.number("region_exits", &regionExits)
        try archive.number("allow_once_lapsed", &allowOnceLapsed)
        try archive.number("allow_once_kept", &allowOnceKept)
    }
}

extension FirstScriptFailure {
    mutating func archive(_ archive: inout Archive, scripts: Int) throws(ShardError) {
        var (time, device, ordinal) = (
            key.time.microseconds, key.device.number, key.ordinal
        )
        try archive.number("script", &place.script, max: UInt16(scripts - 1))
        try archive.number("line", &place.line, max: .max)
        try archive.word("hook", &place.hook)
        try archive.word("code", &place.code)
        try archive.number("us", &time, max: .max)
        try archive.number("device", &device, max: .max)
        try archive.number("n", &ordinal, max: .max)
        try archive.text("message", &message)
        guard time >= 0 else { throw archive.wrong("us", "an instant is not below 0") }
        key = RecordKey(
            time: SimTime(microseconds: time), device: DeviceID(device), ordinal: ordinal)
    }
}

extension ValueHistogram {
    fileprivate mutating func archive(_ archive: inout Archive) throws(ShardError) {
        let names = ["negative_wholes", "positive_wholes", "negative_parts", "positive_parts"]
        var (words, total) = (self.words, thousandths)
        for index in names.indices {
            try archive.numbers(names[index], &words[index], isFixed: false, max: .max)
        }
        try archive.number("thousandths", &total, max: .max)
        guard archive.isReading else { return }
        guard
            let values = ValueHistogram(
                words: words, thousandths: total, sumMax: archive.countMax)
        else { throw archive.wrong("thousandths", "no histogram has these counts and this sum") }
        self = values
    }
}

extension FunnelCounts {
    /// - Parameter devices: of the group.
    fileprivate mutating func archive(
        _ archive: inout Archive, devices: UInt64
    ) throws(ShardError) {
        try archive.numbers("reached", &reached)
        try archive.numbers("lost", &lost)
        try archive.numbers("outside", &outside)
        var step = 0
        try archive.list("waits", &waits) { (archive, histogram) throws(ShardError) in
            var words = histogram.words
            // No wait is longer than an instant can be late.
            try archive.numbers("us", &words, isFixed: false, max: UInt64(Int64.max))
            guard let read = LogLinearHistogram(words: words, sumMax: archive.countMax),
                read.count == reached[step]
            else { throw archive.wrong("us", "no histogram of \(reached[step]) has these counts") }
            histogram = read
            step += 1
        }
        for step in reached.indices {
            let before = step == 0 ? devices : reached[step - 1]
            guard reached[step] + lost[step] <= before else {
                throw archive.wrong("reached", "more devices come to step \(step) than could")
            }
        }
    }
}

extension Archive {
    fileprivate mutating func name(_ name: String, _ value: inout NameText) throws(ShardError) {
        var text = value.text
        try self.text(name, &text)
        value = NameText(text)
    }

    /// A list of keys and values, in order of the keys as they sort.
    fileprivate mutating func dictionary<Key: Hashable & Comparable, Value>(
        _ name: String, _ dictionary: inout [Key: Value], _ key: Key, _ value: Value,
        _ body: (inout Archive, inout Key, inout Value) throws(ShardError) -> Void
    ) throws(ShardError) {
        var entries = dictionary.map { (key: $0.key, value: $0.value) }
        entries.sort { $0.key < $1.key }
        try list(name, &entries, of: (key: key, value: value)) {
            (archive, entry) throws(ShardError) in
            try body(&archive, &entry.key, &entry.value)
        }
        guard isReading else { return }
        dictionary = [:]
        for entry in entries {
            guard dictionary.updateValue(entry.value, forKey: entry.key) == nil else {
                throw wrong(name, "a name stands here twice")
            }
        }
    }
}
