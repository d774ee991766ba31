import Foundation

/// Funnels, statuses and prompts worked out again from a run's log, slowly and by the definitions
/// of `config/README.md` alone. Knows nothing of the engine: it reads lines of JSON, keeps every
/// sample, and looks at a whole life at once.
struct FunnelOracle {
    struct Funnel {
        let name: String
        let steps: [String]
        /// Microseconds.
        let window: Int?
    }

    /// What one device came to in one funnel.
    struct Way {
        var reached = 0
        var lost: Int?
        var outside: [Int] = []
        /// From the step before; one for each step reached.
        var waits: [Int] = []
    }

    /// One device's life in one arm.
    struct Life {
        /// Which steps happened when, in order.
        var steps: [(us: Int, name: String)] = []
        var (visible, trueStatus, isInstalled) = ("notDetermined", "not_determined", false)
        /// By kind: shown, answers, and answers after which the status was a higher one.
        var prompts: [(kind: String, choice: String?, isHigher: Bool)] = []
        /// Since when Always has been true.
        var alwaysSince: Int?
        var isLeaving: Int?
        var counts: [String: Int] = [:]
    }

    static let week = 7 * 86_400 * 1_000_000
    private static let levels = [
        "allow_once": 1, "when_in_use": 2, "provisional_always": 3, "always": 4,
    ]

    /// By arm, then by device.
    private(set) var lives: [String: [Life]] = [:]
    let end: Int

    /// - Parameter end: in microseconds.
    init(log: Data, devices: Int, end: Int) throws {
        self.end = end
        var last: [String: [String: Any]] = [:]
        for line in log.split(separator: UInt8(ascii: "\n")) {
            let record = try JSONSerialization.jsonObject(with: line) as? [String: Any] ?? [:]
            let (arm, device) = (record["arm"] as? String ?? "base", record["device"] as? Int ?? -1)
            let key = "\(arm) \(device)"
            lives[arm, default: Array(repeating: Life(), count: devices)][device]
                .take(record, after: last[key] ?? [:])
            last[key] = record
        }
        for arm in lives.keys {
            for device in 0..<devices { lives[arm]?[device].finish(at: end) }
        }
    }
}

extension FunnelOracle.Life {
    fileprivate mutating func take(_ record: [String: Any], after before: [String: Any]) {
        func word(_ key: String) -> String { record[key] as? String ?? "" }
        let us = record["us"] as? Int ?? -1
        let isFirst = steps.isEmpty
        if let alwaysSince, us >= alwaysSince + FunnelOracle.week { passWeek() }
        if let leaving = isLeaving, us > leaving { (isInstalled, isLeaving) = (false, nil) }
        switch word("type") {
        case "installed":
            (isInstalled, isLeaving) = (true, nil)
            if isFirst { steps.append((us, "installed")) }
        case "opened": if word("launch") == "person" { steps.append((us, "opened")) }
        case "prompt":
            steps.append((us, "asked"))
            if ["always", "always_upgrade", "always_confirm"].contains(word("kind")) {
                steps.append((us, "asked_always"))
            }
            prompts.append((word("kind"), nil, false))
        case "answer":
            guard let choice = record["choice"] as? String else { return }
            let open = prompts.lastIndex { $0.kind == word("kind") && $0.choice == nil }
            if let open { prompts[open].choice = choice }
        case "status":
            let isAnswer =
                before["type"] as? String == "answer" && before["us"] as? Int == us
                && before["choice"] is String
            status(word("visible"), word("true"), at: us, isAnswer: isAnswer)
        case "milestone": steps.append((us, "milestone:\(word("name"))"))
        case "feature":
            counts["feature \(word("feature")) \(word("outcome"))", default: 0] += 1
            if word("outcome") == "success" { steps.append((us, "feature:\(word("feature"))")) }
        case "request_ignored": counts["ignored \(word("reason"))", default: 0] += 1
        case "world":
            if ["delete_app", "remove_app_clip"].contains(word("what")), record["ignored"] == nil {
                (isLeaving, alwaysSince) = (us, nil)
            }
        default: break
        }
    }

    private mutating func status(
        _ newVisible: String, _ newTrue: String, at us: Int, isAnswer: Bool
    ) {
        let authorized = ["authorizedWhenInUse", "authorizedAlways"]
        let (oldVisible, oldTrue) = (visible, trueStatus)
        (visible, trueStatus) = (newVisible, newTrue)
        if isAnswer, let last = prompts.lastIndex(where: { $0.choice != nil }) {
            let (level, before) = (FunnelOracle.level(newTrue), FunnelOracle.level(oldTrue))
            prompts[last].isHigher = level > before
        }
        guard isInstalled else { return }
        steps += [(us, "status:\(visible)"), (us, "status:\(trueStatus)")]
        if isAnswer, authorized.contains(visible), !authorized.contains(oldVisible) {
            steps.append((us, "granted"))
        }
        if ["when_in_use", "provisional_always", "always"].contains(trueStatus) {
            steps.append((us, "kept"))
        }
        if trueStatus == "provisional_always" { steps.append((us, "asked_always")) }
        if trueStatus == "always" { steps.append((us, "always")) }
        if trueStatus != "always" {
            alwaysSince = nil
        } else if oldTrue != "always" {
            alwaysSince = us
        }
    }

    private mutating func passWeek() {
        guard let since = alwaysSince else { return }
        steps.append((since + FunnelOracle.week, "always_7d"))
        alwaysSince = nil
    }

    fileprivate mutating func finish(at end: Int) {
        if let alwaysSince, alwaysSince + FunnelOracle.week < end { passWeek() }
        if isLeaving != nil { isInstalled = false }
    }
}

extension FunnelOracle {
    fileprivate static func level(_ status: String) -> Int { levels[status] ?? 0 }

    /// The definition of a funnel, word for word.
    func way(of life: Life, through funnel: Funnel) -> Way {
        var way = Way()
        var (before, deadline): (Int?, Int?) = (nil, nil)
        for step in funnel.steps {
            deadline = before.flatMap { before in funnel.window.map { before + $0 } }
            let next = life.steps.first { $0.name == step && $0.us >= before ?? 0 }
            guard let next, next.us <= deadline ?? .max else {
                if let deadline, deadline < next?.us ?? end { way.lost = way.reached }
                break
            }
            way.reached += 1
            way.waits.append(next.us - (before ?? next.us))
            before = next.us
        }
        let until = way.lost == nil ? Int.max : deadline ?? .max
        way.outside = funnel.steps.indices.filter { step in
            step >= way.reached
                && life.steps.contains { $0.name == funnel.steps[step] && $0.us <= until }
        }
        return way
    }

    /// Ranks, from 1, of the order statistics around the quantile `share` of `count` values: those
    /// shares that Wilson's interval allows.
    static func ranks(_ share: Double, of count: Int) -> (low: Int, high: Int)? {
        let allowed = (0...count).filter { hits in
            let gap = Double(hits) / Double(count) - share
            return gap * gap * Double(count) <= 3.841458820694124 * share * (1 - share)
        }
        guard let low = allowed.first, let high = allowed.last, low > 0, high < count else {
            return nil
        }
        return (low, high + 1)
    }
}
