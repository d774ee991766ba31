import AuthorizationCore
import JSONText
import Metrics
import SimPrimitives
import Simulation

/// Rules, delays, failures and funnels.
extension ScenarioDecoder {
    static func rules(_ field: Field?) -> SystemRules {
        var rules = SystemRules()
        guard let field, let fields = field.fields() else { return rules }
        for entry in RuleSettings.entries {
            guard let given = fields.take(entry.name) else { continue }
            switch entry.kind {
            case .number(let path, let range):
                if let number = given.number(in: range) {
                    rules[keyPath: path] = number
                }
            case .bool(let path):
                if let bool = given.bool() { rules[keyPath: path] = bool }
            case .word(let words, _, let set):
                if let word = given.word(among: words) { set(&rules, word) }
            }
        }
        fields.finish()
        for pair in RuleSettings.pairs {
            guard let least = RuleSettings.number(pair.min, in: rules),
                let most = RuleSettings.number(pair.max, in: rules), least > most
            else { continue }
            field.complain(
                "\(pair.min) is at most \(pair.max), not \(grouped(least)) over "
                    + grouped(most))
        }
        return rules
    }

    func delays(_ field: Field?) -> SystemDelays {
        var delays = SystemDelays()
        guard let fields = field?.fields() else { return delays }
        func duration(
            _ name: String, _ path: WritableKeyPath<SystemDelays, SimDuration>,
            from least: SimDuration, to most: SimDuration
        ) {
            let given = fields.take(name)?.duration("a delay", from: least, to: most)
            if let given { delays[keyPath: path] = given }
        }
        func number(
            _ name: String, _ path: WritableKeyPath<SystemDelays, Double>,
            in range: ClosedRange<Double>
        ) {
            if let given = fields.take(name)?.number(in: range) {
                delays[keyPath: path] = given
            }
        }
        duration("answer", \.answer, from: .zero, to: .days(1))
        duration("suspension", \.suspension, from: .zero, to: .hours(1))
        if let given = fields.take("termination_mean") {
            delays.terminationMean =
                given.isNull ? nil : given.duration("a delay", from: .seconds(1), to: .days(365))
        }
        duration("position", \.position, from: .zero, to: .hours(1))
        number("position_failure_share", \.positionFailureShare, in: 0...1)
        duration("update_interval", \.updateInterval, from: .seconds(1), to: .days(1))
        delays.backgroundUpdateInterval = fields.take("background_update_interval")
            .flatMap { $0.isNull ? nil : $0.duration("a delay", from: .seconds(1), to: .days(1)) }
        number("significant_changes_per_day", \.significantChangesPerDay, in: 0...1_000)
        fields.finish()
        return delays
    }

    func scriptFailuresMax(_ field: Field?) -> UInt64? {
        guard let fields = field?.fields() else { return nil }
        let given = fields.take("end_run_after")
        fields.finish()
        guard let given, !given.isNull else { return nil }
        return given.integer("a number of failures (null: any)", in: UInt64(1)...1_000_000_000)
    }

    // MARK: - Funnels

    func funnels(_ field: Field?, features: [String]) -> [FunnelDefinition] {
        guard let entries = field?.list("funnels", max: ScenarioLimits.funnelsMax) else {
            return []
        }
        var funnels: [FunnelDefinition] = []
        for entry in entries {
            guard let fields = entry.fields() else { continue }
            let nameField = fields.require("name", "what reports call this funnel")
            let name = nameField?.name("a funnel's name")
            let steps = self.steps(
                fields.require("steps", "a list such as [\"opened\", \"asked\"]"), features)
            let window = fields.take("window").flatMap {
                $0.isNull
                    ? nil
                    : $0.duration(
                        "a window", from: .milliseconds(1), to: ScenarioLimits.durationMax)
            }
            fields.finish()
            if name == FunnelDefinition.builtIn.name {
                nameField?.complain("\"funnel\" is the built-in one; give another name")
            } else if funnels.contains(where: { $0.name == name }) {
                nameField?.complain("this funnel's name stands here twice", .duplicateName)
            }
            guard let name, let steps else { continue }
            funnels.append(FunnelDefinition(name: name, steps: steps, window: window))
        }
        return funnels
    }

    private func steps(_ field: Field?, _ features: [String]) -> [FunnelStep]? {
        let most = ScenarioLimits.funnelStepsMax
        guard let entries = field?.list("steps", max: most, min: 1) else { return nil }
        var steps: [FunnelStep] = []
        for entry in entries {
            guard let step = self.step(entry, features) else { continue }
            if steps.contains(step) {
                entry.complain("step \(quoted(step.name)) stands here twice", .duplicateName)
            }
            steps.append(step)
        }
        return steps
    }

    private func step(_ field: Field, _ features: [String]) -> FunnelStep? {
        guard let text = field.text("a step") else { return nil }
        if let plain = FunnelStep.plain.first(where: { $0.name == text }) { return plain }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.count == 2 ? String(parts[1]) : ""
        switch parts[0] {
        case "milestone" where !name.isEmpty:
            guard name.utf8.count <= ScenarioLimits.nameBytesMax else { break }
            return .milestone(name)
        case "feature" where parts.count == 2:
            if features.contains(name) { return .feature(name) }
            field.complain(unknown("feature", name, among: features))
            return nil
        case "status" where parts.count == 2:
            var words = VisibleStatus.allCases.map(\.rawValue)
            words += TrueStatus.allCases.map(\.rawValue).filter { !words.contains($0) }
            if words.contains(name) { return .status(name) }
            field.complain(unknown("status", name, among: words))
            return nil
        default: break
        }
        let kinds = ["milestone:NAME", "feature:NAME", "status:NAME"]
        field.complain(unknown("step", text, among: FunnelStep.plain.map(\.name) + kinds))
        return nil
    }
}
