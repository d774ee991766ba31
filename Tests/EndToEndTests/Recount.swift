import Foundation
import Testing

/// A value out of JSON; what is not there is nothing of every kind.
struct Tree {
    let value: Any?

    subscript(key: String) -> Tree { Tree(value: (value as? [String: Any])?[key]) }
    var list: [Tree] { (value as? [Any] ?? []).map { Tree(value: $0) } }
    var text: String { value as? String ?? "" }
    var number: Double { (value as? NSNumber)?.doubleValue ?? .nan }
    var count: Int { (value as? NSNumber)?.intValue ?? 0 }
    var isNull: Bool { value == nil || value is NSNull }
    var counts: [String: Int] {
        (value as? [String: Any] ?? [:]).compactMapValues { ($0 as? NSNumber)?.intValue }
    }
}

/// Holds an arm's figures against what the log says of its devices.
struct Recount {
    let oracle: FunnelOracle
    let lives: [FunnelOracle.Life]

    /// What histograms may hide: quantiles are at most so much too small.
    private static let error = 1.0 / 64

    func check(_ rows: Tree, _ funnel: FunnelOracle.Funnel) {
        let ways = lives.map { oracle.way(of: $0, through: funnel) }
        let list = funnel.name == "funnel" ? rows["funnel"].list : rows["steps"].list
        var previous = lives.count
        for (step, row) in list.enumerated() {
            let place = "\(funnel.name), \(funnel.steps[step])"
            let reached = ways.count { $0.reached > step }
            let lost = ways.count { $0.lost == step }
            #expect(row["reached"].count == reached, "\(place)")
            #expect(row["lost"].count == lost, "\(place)")
            #expect(row["not_yet"].count == previous - reached - lost, "\(place)")
            let outside = ways.count { $0.outside.contains(step) }
            #expect(rows["outside"][funnel.steps[step]].count == outside, "\(place)")
            check(row, waits: ways.compactMap { $0.reached > step ? $0.waits[step] : nil }, place)
            if step > 0 { check(share: row["of_previous_95"], reached, of: previous, place) }
            previous = reached
        }
    }

    private func check(_ row: Tree, waits: [Int], _ place: String) {
        let sorted = waits.sorted()
        for (name, share) in [("seconds_p50", 0.5), ("seconds_p90", 0.9)] {
            guard !sorted.isEmpty else {
                #expect(row[name].isNull, "\(place)")
                continue
            }
            // In whole percent: a rank is no rounded number.
            let rank = (Int(share * 100) * sorted.count + 99) / 100
            let value = Double(sorted[rank - 1]) / 1e6
            let told = row[name].number
            #expect(
                told <= value + 0.5 && told >= value * (1 - Self.error) - 0.5,
                "\(place): \(name) \(told) of \(value)")
            let limits = row["\(name)_95"].list.map(\.number)
            guard let ranks = FunnelOracle.ranks(share, of: sorted.count) else {
                #expect(row["\(name)_95"].isNull, "\(place)")
                continue
            }
            let (low, high) = (
                Double(sorted[ranks.low - 1]) / 1e6, Double(sorted[ranks.high - 1]) / 1e6
            )
            #expect(limits.count == 2, "\(place): \(name)_95")
            guard limits.count == 2 else { continue }
            #expect(
                limits[0] <= low && limits[0] >= low * (1 - Self.error) - 1
                    && limits[1] >= high && limits[1] <= high * (1 + Self.error) + 1,
                "\(place): \(name)_95 \(limits) of \(low) to \(high)")
        }
    }

    /// Wilson's limits are where the score test turns: |count - n p| = z √(n p (1 - p)).
    private func check(share row: Tree, _ count: Int, of total: Int, _ place: String) {
        guard total > 0 else {
            #expect(row.isNull, "\(place)")
            return
        }
        let n = Double(total)
        for limit in row.list.map(\.number) where limit > 0 && limit < 1 {
            func score(_ p: Double) -> Double {
                abs(Double(count) - n * p) / (n * p * (1 - p)).squareRoot() - 1.959963984540054
            }
            // The limit is rounded to a millionth, so the score turns next to it.
            let (one, other) = (score(limit - 1e-6), score(limit + 1e-6))
            #expect(one * other <= 0, "\(place): \(count) of \(total), limit \(limit)")
        }
        #expect(row.list.count == 2, "\(place)")
    }

    func checkStatuses(_ arm: Tree) {
        let here = lives.filter(\.isInstalled)
        for (word, count) in arm["status"]["visible"].counts {
            #expect(count == here.count { $0.visible == word }, "\(word)")
        }
        for (word, count) in arm["status"]["true"].counts {
            #expect(count == here.count { $0.trueStatus == word }, "\(word)")
        }
        #expect(arm["status"]["true"].counts.values.reduce(0, +) == here.count)
        var counts: [String: Int] = [:]
        for life in lives { counts.merge(life.counts, uniquingKeysWith: +) }
        for (feature, outcomes) in arm["features"].value as? [String: Any] ?? [:] {
            for (outcome, count) in Tree(value: outcomes).counts {
                #expect(count == counts["feature \(feature) \(outcome)"] ?? 0, "\(feature)")
            }
        }
        for (reason, count) in arm["requests_ignored"].counts {
            #expect(count == counts["ignored \(reason)"] ?? 0, "\(reason)")
        }
    }

    /// Kinds whose grant is one of location, and not of accuracy or to a widget.
    private static let granting = [
        "when_in_use", "always", "always_upgrade", "always_confirm", "background_reminder",
    ]

    func checkPrompts(_ arm: Tree) {
        let prompts = lives.flatMap(\.prompts)
        #expect(
            Set(arm["prompts"].list.map { $0["kind"].text }) == Set(prompts.map(\.kind)))
        for row in arm["prompts"].list {
            let kind = row["kind"].text
            let shown = prompts.filter { $0.kind == kind }
            let answered = shown.filter { $0.choice != nil }
            #expect(row["shown"].count == shown.count, "\(kind)")
            #expect(row["answered"].count == answered.count, "\(kind)")
            for (choice, count) in row["choices"].counts {
                #expect(count == answered.count { $0.choice == choice }, "\(kind): \(choice)")
            }
            guard Self.granting.contains(kind) else { continue }
            let granted = answered.count(where: \.isHigher)
            #expect(row["granted"].count == granted, "\(kind)")
            guard !answered.isEmpty else { continue }
            let rate = Double(granted) / Double(answered.count)
            #expect(abs(row["grant_rate"].number - rate) < 1e-6, "\(kind)")
        }
    }

    static func check(
        pair row: Tree, _ funnels: [FunnelOracle.Funnel], _ oracle: FunnelOracle,
        base: [FunnelOracle.Life], arm: [FunnelOracle.Life]
    ) {
        let name = row["funnel"].isNull ? "funnel" : row["funnel"].text
        let funnel = funnels.first { $0.name == name }
        func has(_ life: FunnelOracle.Life) -> Bool {
            switch row["at_end"].text {
            case "authorized": life.isInstalled && life.visible.hasPrefix("authorized")
            case "authorizedAlways": life.isInstalled && life.visible == "authorizedAlways"
            default:
                funnel.map { funnel in
                    let step = funnel.steps.firstIndex(of: row["step"].text) ?? 99
                    return oracle.way(of: life, through: funnel).reached > step
                } ?? false
            }
        }
        let pairs = zip(base, arm).map { (has($0), has($1)) }
        let place = "\(row["arm"].text), \(name), \(row["step"].text)\(row["at_end"].text)"
        #expect(row["both"].count == pairs.count { $0 && $1 }, "\(place)")
        #expect(row["only_base"].count == pairs.count { $0 && !$1 }, "\(place)")
        #expect(row["only_arm"].count == pairs.count { !$0 && $1 }, "\(place)")
        #expect(row["neither"].count == pairs.count { !$0 && !$1 }, "\(place)")
    }
}
