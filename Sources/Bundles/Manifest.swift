import JSONText
import Metrics
import SimPrimitives
import Simulation

/// A value whose text does not depend on how it was written: keys sorted, numbers in one form.
indirect enum Canonical {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case list([Canonical])
    case object([String: Canonical])

    var text: String {
        var writer = JSONWriter(.compact)
        write(to: &writer)
        return writer.text
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let bool): writer.bool(bool)
        case .integer(let number): writer.integer(number)
        case .unsigned(let number): writer.integer(number)
        case .number(let number): writer.double(number)
        case .string(let text): writer.string(text)
        case .list(let items):
            writer.array { writer in
                for item in items { item.write(to: &writer) }
            }
        case .object(let members):
            writer.object { writer in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    writer.key(name)
                    value.write(to: &writer)
                }
            }
        }
    }

    init(_ duration: SimDuration) { self = .string(duration.inExactUnits) }

    init(_ value: ScriptOption.Value) {
        self =
            switch value {
            case .number(let number): .number(number)
            case .boolean(let bool): .bool(bool)
            case .string(let text): .string(text)
            }
    }

    /// Those that the scenario gives.
    init(_ options: [ScriptOption]) {
        let given = options.filter(\.isGiven).map { ($0.name, Canonical($0.value)) }
        self = .object(Dictionary(given) { first, _ in first })
    }

    init(_ setting: Setting) {
        self =
            switch setting.value {
            case .null: .null
            case .bool(let bool): .bool(bool)
            case .number(let text):
                Int64(text).map { .integer($0) } ?? .number(Double(text) ?? .nan)
            case .string(let text): .string(text)
            case .list(let items): .list(items.map(Canonical.init))
            case .table(let members):
                .object(
                    Dictionary(members.map { ($0.name, Canonical($0.setting)) }) { first, _ in
                        first
                    })
            }
    }
}

/// The text that is hashed: everything that decides a run, with defaults filled in.
///
/// It is a scenario itself, in the words of scenarios: `BundleReader` reads it back with the files
/// that it names by their hashes. Of options it has those that the scenario gives; the others are
/// the scripts', whose bytes are hashed.
enum Manifest {
    /// Raised when the text of the same scenario changes.
    static let version: Int64 = 4

    /// - Parameter arms: names of arms and the hashes of what they come to.
    static func text(of decoded: DecodedScenario, arms: [(name: String, sha256: String)]) -> String
    {
        let scenario = decoded.scenario
        var members: [String: Canonical] = [
            "manifest": .integer(version),
            "name": .string(scenario.name),
            "seed": .unsigned(scenario.seed),
            "devices": .integer(Int64(scenario.deviceCount)),
            "duration": Canonical(scenario.duration),
            "zone": zone(scenario.zone),
            "ios": .list(
                scenario.iosMix.map { .list([.string($0.value.description), .number($0.weight)]) }),
            "personas": .list(scenario.personas.map { persona($0, scenario) }),
            "app": app(decoded),
            "rules": rules(scenario),
            "delays": delays(scenario.delays),
            "check_every": Canonical(scenario.checkEvery),
            "script_failures": .object([
                "end_run_after": scenario.scriptFailuresMax.map { .unsigned($0) } ?? .null
            ]),
            "files": .list(decoded.blobs.map(blob)),
            "funnels": .list(scenario.funnels.filter { $0 != .builtIn }.map(funnel)),
            "interventions": .list(decoded.conditions.interventions.map { Canonical($0) }),
            "thresholds": .list(scenario.thresholds.map { .string($0.text) }),
            "end_when": decoded.conditions.endWhen.map { .string($0) } ?? .null,
            "arms": .list(
                arms.map { .object(["name": .string($0.name), "sha256": .string($0.sha256)]) }),
        ]
        // What a scenario may leave out entirely: its hash stays what it was before there was this.
        if !decoded.conditions.hazards.isEmpty {
            members["hazards"] = .list(decoded.conditions.hazards.map { Canonical($0) })
        }
        if let movement = decoded.conditions.movement { members["movement"] = Canonical(movement) }
        return Canonical.object(members).text
    }

    private static func zone(_ zone: Zone) -> Canonical {
        .object([
            "name": .string(zone.name),
            "start_unix_seconds": .integer(zone.startUnixSeconds),
            "offsets": .list(
                zone.offsets.map {
                    .list([.integer($0.from.microseconds), .integer(Int64($0.secondsFromUTC))])
                }),
        ])
    }

    private static func funnel(_ funnel: FunnelDefinition) -> Canonical {
        .object([
            "name": .string(funnel.name),
            "steps": .list(funnel.steps.map { .string($0.name) }),
            "window": funnel.window.map { Canonical($0) } ?? .null,
        ])
    }

    private static func persona(_ persona: Scenario.Persona, _ scenario: Scenario) -> Canonical {
        var members: [String: Canonical] = [
            "name": .string(persona.name),
            "weight": .number(persona.weight),
            "behavior": .string(scenario.scripts[persona.behavior].name),
            "options": Canonical(persona.options),
        ]
        if persona.rhythm != Rhythm() { members["rhythm"] = rhythm(persona.rhythm) }
        return .object(members)
    }

    private static func rhythm(_ rhythm: Rhythm) -> Canonical {
        var members: [String: Canonical] = [
            "opening_interval_mean": Canonical(rhythm.openingInterval),
            "opening_interval_from": .string(rhythm.origin.rawValue),
        ]
        if let length = rhythm.sessionLength { members["session_length_mean"] = Canonical(length) }
        return .object(members)
    }

    private static func app(_ decoded: DecodedScenario) -> Canonical {
        let (scenario, app) = (decoded.scenario, decoded.scenario.app)
        return .object([
            "name": .string(app.name),
            "info_plist": .string(decoded.blobs.first { $0.kind == .infoPlist }?.name ?? ""),
            "strategy": .string(scenario.scripts[app.strategy].name),
            "options": Canonical(app.options),
            "app_clip": .bool(app.capabilities.isAppClip),
            "features": .list(scenario.features.map { .string($0) }),
        ])
    }

    private static func rules(_ scenario: Scenario) -> Canonical {
        var members: [String: Canonical] = [:]
        for entry in RuleSettings.entries {
            members[entry.name] =
                switch entry.kind {
                case .number(let path, _): .number(scenario.rules[keyPath: path])
                case .bool(let path): .bool(scenario.rules[keyPath: path])
                case .word(_, let get, _): .string(get(scenario.rules))
                }
        }
        return .object(members)
    }

    private static func delays(_ delays: SystemDelays) -> Canonical {
        var members: [String: Canonical] = [
            "answer": Canonical(delays.answer),
            "suspension": Canonical(delays.suspension),
            "termination_mean": delays.terminationMean.map { Canonical($0) } ?? .null,
            "position": Canonical(delays.position),
            "position_failure_share": .number(delays.positionFailureShare),
            "update_interval": Canonical(delays.updateInterval),
            "significant_changes_per_day": .number(delays.significantChangesPerDay),
        ]
        if let interval = delays.backgroundUpdateInterval {
            members["background_update_interval"] = Canonical(interval)
        }
        return .object(members)
    }

    private static func blob(_ blob: Bundle.Blob) -> Canonical {
        .object([
            "kind": .string(blob.kind.rawValue), "name": .string(blob.name),
            "sha256": .string(blob.sha256),
        ])
    }
}
