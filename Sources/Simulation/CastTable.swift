/// Which scripts and options the devices of one arm can have, by number.
///
/// Follows from the scenario and its interventions in their order, so every block has the same
/// numbers, whatever its devices are. What the conditions of interventions rule out for sure has no
/// number.
public struct CastTable: Sendable {
    /// Casts of people, and as many of the app.
    public static let countMax = 4_096

    /// The personas' first, in their order.
    public private(set) var behaviors: [Cast]
    /// The scenario's first.
    public private(set) var strategies: [Cast]
    /// Which behaviors people of each persona can have now, in order.
    private var behaviorsNow: [[Int]]
    private var strategiesNow: [Int]
    private var numbers: [Cast: Int] = [:]
    private var strategyNumbers: [Cast: Int] = [:]

    public init(_ scenario: Scenario) {
        behaviors = scenario.personas.map { Cast(script: $0.behavior, options: $0.options) }
        strategies = [Cast(script: scenario.app.strategy, options: scenario.app.options)]
        (behaviorsNow, strategiesNow) = (behaviors.indices.map { [$0] }, [0])
        for (number, cast) in behaviors.enumerated().reversed() { numbers[cast] = number }
        strategyNumbers[strategies[0]] = 0
    }

    /// As it was once the first of the scenario's interventions, and all of the journal's, had
    /// acted.
    public init(_ scenario: Scenario, acted: Int, _ journal: [Intervention], arm: Int) {
        self.init(scenario)
        var scenario = scenario
        scenario.take(journal)
        let own = scenario.interventions.prefix(acted).enumerated().map { ($0, $1) }
        let all = own + journal.enumerated().map { (acted + $0, $1) }
        let inOrder = all.sorted { ($0.1.at, $0.0) < ($1.1.at, $1.0) }
        for (_, intervention) in inOrder { _ = apply(intervention, arm: arm, in: scenario) }
    }

    /// Whom an intervention can mean: personas with what they play.
    private func meant(
        by intervention: Intervention, arm: Int
    ) -> [(persona: Int, cast: Int, isSure: Bool)] {
        behaviorsNow.indices.flatMap { persona in
            behaviorsNow[persona].compactMap { cast in
                let verdict = intervention.condition.verdict(
                    persona: persona, arm: arm, options: behaviors[cast].options)
                guard verdict != false else { return nil }
                return (persona, cast, verdict == true && intervention.share >= 1)
            }
        }
    }

    /// What comes of an intervention: which number follows on which.
    ///
    /// - Parameters:
    ///   - arm: the index of the arm that the table is of.
    ///   - scenario: of that arm, with the script that the intervention brings.
    /// - Returns: nil where there would be too many casts; the table is as it was then.
    public mutating func apply(
        _ intervention: Intervention, arm: Int, in scenario: Scenario
    ) -> CastMoves? {
        var table = self
        let meant = table.meant(by: intervention, arm: arm)
        var moves = CastMoves()
        switch intervention.action {
        case .act, .terminate, .updateApp: break
        case .behavior(let change):
            guard let script = scenario.index(of: change.source) else { return moves }
            table.move(meant, &moves) { change.cast(script: script, after: $0) }
        case .options(let settings):
            table.move(meant, &moves) {
                $0.setting(settings, declared: scenario.declared(by: $0.script))
            }
        case .strategy(let change):
            guard !meant.isEmpty, let script = scenario.index(of: change.source) else {
                return moves
            }
            // Where the app is deleted, the old one stays.
            table.moveApps(isSure: false, &moves) { change.cast(script: script, after: $0) }
        case .appOptions(let settings):
            guard !meant.isEmpty else { return moves }
            let isSure =
                meant.allSatisfy(\.isSure)
                && meant.count == table.behaviorsNow.reduce(0) { $0 + $1.count }
            table.moveApps(isSure: isSure, &moves) {
                $0.setting(settings, declared: scenario.declared(by: $0.script))
            }
        }
        guard table.behaviors.count <= Self.countMax, table.strategies.count <= Self.countMax else {
            return nil
        }
        self = table
        return moves
    }

    private mutating func move(
        _ meant: [(persona: Int, cast: Int, isSure: Bool)], _ moves: inout CastMoves,
        _ next: (Cast) -> Cast?
    ) {
        for (persona, old, isSure) in meant {
            guard let cast = next(behaviors[old]) else { continue }
            let new = numbers[cast] ?? behaviors.count
            if new == behaviors.count {
                behaviors.append(cast)
                numbers[cast] = new
            }
            moves.nextBehaviors[old] = new
            if isSure { behaviorsNow[persona].removeAll { $0 == old } }
            moves.arrivals.append((persona, new))
        }
        for (persona, new) in moves.arrivals where !behaviorsNow[persona].contains(new) {
            behaviorsNow[persona].append(new)
        }
    }

    private mutating func moveApps(
        isSure: Bool, _ moves: inout CastMoves, _ next: (Cast) -> Cast?
    ) {
        var arrivals: [Int] = []
        for old in strategiesNow {
            guard let cast = next(strategies[old]) else { continue }
            let new = strategyNumbers[cast] ?? strategies.count
            if new == strategies.count {
                strategies.append(cast)
                strategyNumbers[cast] = new
            }
            moves.nextStrategies[old] = new
            arrivals.append(new)
        }
        if isSure { strategiesNow.removeAll { moves.nextStrategies[$0] != nil } }
        for new in arrivals where !strategiesNow.contains(new) {
            strategiesNow.append(new)
        }
    }

    /// The first option that an intervention sets and that somebody whom it can mean has not, or
    /// has otherwise; nil where all is well.
    public func misfit(
        of intervention: Intervention, arm: Int, in scenario: Scenario
    ) -> OptionMisfit? {
        let meant = meant(by: intervention, arm: arm)
        let (settings, owners): ([OptionSetting], [(persona: Int?, cast: Cast)])
        switch intervention.action {
        case .options(let given):
            (settings, owners) = (given, meant.map { ($0.persona, behaviors[$0.cast]) })
        case .appOptions(let given) where !meant.isEmpty:
            (settings, owners) = (given, strategiesNow.map { (nil, strategies[$0]) })
        case .appOptions, .strategy, .behavior, .act, .terminate, .updateApp: return nil
        }
        for (persona, cast) in owners {
            let declared = scenario.declared(by: cast.script)
            for setting in settings {
                let option = declared.first { $0.name == setting.name }
                if let option, option.takes(setting.value) { continue }
                return OptionMisfit(
                    setting: setting, declared: option,
                    persona: persona.map { scenario.personas[$0].name },
                    script: scenario.scripts[cast.script].name, known: declared.map(\.name),
                    isAlone: owners.allSatisfy { $0.cast.script == cast.script })
            }
        }
        return nil
    }
}

extension CastTable {
    /// Of the behavior with that number; none where there is no such number.
    func options(ofBehavior number: Int) -> [ScriptOption] {
        behaviors.indices.contains(number) ? behaviors[number].options : []
    }
}

/// Which cast follows on which at an intervention.
public struct CastMoves: Sendable {
    var nextBehaviors: [Int: Int] = [:]
    var nextStrategies: [Int: Int] = [:]
    fileprivate var arrivals: [(persona: Int, cast: Int)] = []

    public init() {}
}

/// An option that an intervention sets, and a script that does not take it.
public struct OptionMisfit: Sendable {
    public var setting: OptionSetting
    /// Nil: the script has no such option.
    public var declared: DeclaredOption?
    /// Whose behavior it is; nil: the app's strategy.
    public var persona: String?
    public var script: String
    /// The options that the script declares.
    public var known: [String]
    /// All who are meant have this script.
    public var isAlone: Bool
}

extension OptionMisfit {
    /// What is wrong, and what would be accepted.
    ///
    /// - Parameters:
    ///   - place: follows the script's name, such as ` in arm "late"`.
    ///   - nearest: the name that was meant, among those there are.
    public func message(place: String, nearest: (String, [String]) -> String?) -> String {
        let owner = persona.map { "persona \"\($0)\" plays \(script)" } ?? "the app plays \(script)"
        let selector = persona.map { "'persona != \"\($0)\"'" } ?? "'arm = NAME'"
        let others =
            isAlone && (place.isEmpty || persona != nil)
            ? "" : "; with where one says whom it means, such as \(selector)"
        guard let declared else {
            let near = nearest(setting.name, known).map { "; did you mean \"\($0)\"?" }
            let names =
                known.isEmpty ? "; it has none" : "; it has " + known.joined(separator: ", ")
            return "\(owner)\(place), which has no option \"\(setting.name)\"\(near ?? names)"
                + others
        }
        return "\(owner)\(place), whose option \"\(setting.name)\" is \(declared.claim), "
            + "not \(setting.value.shown)" + others
    }
}

extension ScriptOption.Value {
    fileprivate var shown: String {
        switch self {
        case .number(let number): DeclaredOption.shown(number)
        case .boolean(let flag): flag ? "true" : "false"
        case .string(let text): "\"\(text.prefix(64))\""
        }
    }
}

extension DeclaredOption {
    /// `a number, 0 to 1 (share)`
    public var claim: String {
        switch value {
        case .boolean: return "true or false"
        case .string: return "text"
        case .number:
            let range: String =
                switch (min, max) {
                case (let min?, let max?): ", \(Self.shown(min)) to \(Self.shown(max))"
                case (let min?, nil): ", at least \(Self.shown(min))"
                case (nil, let max?): ", at most \(Self.shown(max))"
                case (nil, nil): ""
                }
            return "a number" + range + (unit.isEmpty ? "" : " (\(unit))")
        }
    }

    fileprivate static func shown(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e15
            ? String(Int64(number)) : number.description
    }
}
