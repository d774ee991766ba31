import AuthorizationCore
import JSONText
import Metrics
import SimPrimitives
import Simulation

/// Conditions on an arm's figures: `share(authorizedAlways) > 0.10`.
extension ConditionReader {
    private static let quantiles = ["p50": 0.5, "p90": 0.9, "p99": 0.99]
    private static let functions = ["count", "share", "p50", "p90", "p99"]

    mutating func fleetCondition() throws(ConditionError) -> FleetCondition {
        try joined(
            all: { .all($0) }, any: { .any($0) }, not: { .not($0) },
            { (reader) throws(ConditionError) in try reader.fleetComparison() })
    }

    private mutating func fleetComparison() throws(ConditionError) -> FleetCondition {
        let start = next
        if takesWord("arm") {
            let isEqual = try isEqual(try comparison(after: "arm"), "arm", at: start)
            let (name, token) = try name(of: "an arm")
            guard vocabulary.arms.contains(name) else {
                throw complaint(vocabulary.noArm(name), at: token)
            }
            return .constant((name == vocabulary.arm) == isEqual)
        }
        let (quantity, text) = try quantity()
        let comparison = try comparison(after: text)
        let isSeconds = if case .seconds = quantity { true } else { false }
        let token = next
        let bound = try number(for: text, isSeconds: isSeconds)
        if let claim = Self.claim(of: quantity, bound, text) { throw complaint(claim, at: token) }
        return .comparison(FleetComparison(quantity, comparison, bound, text: text))
    }

    private mutating func quantity() throws(ConditionError) -> (FleetQuantity, String) {
        let (word, token) = try name(of: "a figure, such as share(authorizedAlways),")
        if Self.functions.contains(word) {
            try expect("(", "after \(word)")
            let start = next.column
            let quantity: FleetQuantity
            if let quantile = Self.quantiles[word] {
                let (name, token) = try name(of: "a step of a funnel")
                let (funnel, step) = try step(name, token)
                quantity = .seconds(quantile: quantile, funnel: funnel, step: step)
            } else if let (funnel, step) = takeStep() {
                quantity =
                    word == "count"
                    ? .reached(funnel: funnel, step: step)
                    : .reachedShare(funnel: funnel, step: step)
            } else {
                let devices = try statusOrCondition()
                quantity = word == "count" ? .count(devices) : .share(devices)
            }
            let inner = text(from: start, to: next.column)
            try expect(")", "after what \(word) is of")
            return (quantity, "\(word)(\(inner))")
        }
        switch word {
        case "script_failures": return (.scriptFailures, word)
        case "day": return (.day, word)
        default:
            let (funnel, step) = try step(word, token, orFigure: true)
            return (.reached(funnel: funnel, step: step), word)
        }
    }

    /// Why a bound says nothing about a figure of this kind; nil where it may.
    private static func claim(
        of quantity: FleetQuantity, _ bound: Double, _ text: String
    ) -> String? {
        switch quantity {
        case .share, .reachedShare:
            return 0...1 ~= bound ? nil : "\(quoted(text)) is a share, 0 to 1"
        case .count, .reached, .scriptFailures:
            guard bound > 0, bound < 1 else { return nil }
            let part = text.hasPrefix("count(") ? "share" + text.dropFirst(5) : "share(\(text))"
            let hint = text == "script_failures" ? "" : "; its share is \(part)"
            return "\(quoted(text)) is a number of devices or failures, a whole one\(hint)"
        case .seconds, .day: return nil
        }
    }

    /// A step of a funnel alone in the brackets, unless it is a status as well.
    private mutating func takeStep() -> (funnel: Int, step: Int)? {
        let name: String
        switch next.kind {
        case .word(let text), .text(let text): name = text
        case .number, .sign, .end: return nil
        }
        let isStatus =
            (VisibleStatus.allCases.map(\.rawValue) + TrueStatus.allCases.map(\.rawValue))
            .contains(name)
        guard isLastBeforeBracket, !isStatus, let found = try? step(name, next) else { return nil }
        _ = take()
        return found
    }

    /// A status alone, or a whole condition on devices.
    private mutating func statusOrCondition() throws(ConditionError) -> DeviceCondition {
        guard case .word(let word) = next.kind, isLastBeforeBracket else {
            return try deviceCondition()
        }
        let token = take()
        let visible = VisibleStatus.allCases.map(\.rawValue)
        let trueStatuses = TrueStatus.allCases.map(\.rawValue)
        if word == "authorized" {
            let masks = VisibleStatus.allCases.filter(\.isAuthorized).map {
                UInt8(1) << UInt8($0.place)
            }
            return .visible(masks.reduce(0, |))
        }
        if let place = visible.firstIndex(of: word) { return .visible(1 << UInt8(place)) }
        if let place = trueStatuses.firstIndex(of: word) { return .trueStatus(1 << UInt8(place)) }
        let steps = FunnelStep.plain.map(\.name).filter { !trueStatuses.contains($0) }
        throw complaint(
            unknown(
                "status or step", word, among: ["authorized"] + visible + trueStatuses + steps),
            at: token)
    }

    /// `always`, or `FUNNEL.STEP` for a funnel of the scenario's own.
    private func step(
        _ name: String, _ token: ConditionToken, orFigure: Bool = false
    ) throws(ConditionError) -> (funnel: Int, step: Int) {
        var known: [String] = []
        for (funnel, definition) in vocabulary.funnels.enumerated() {
            let prefix = definition == .builtIn ? "" : "\(definition.name)."
            for (step, content) in definition.steps.enumerated() {
                let full = "\(definition.name).\(content.name)"
                if name == prefix + content.name || name == full { return (funnel, step) }
                known.append(prefix + content.name)
            }
        }
        let figures = Self.functions.map { "\($0)(…)" } + ["script_failures", "day"]
        throw complaint(
            unknown(orFigure ? "figure" : "step", name, among: (orFigure ? figures : []) + known),
            at: token)
    }
}
