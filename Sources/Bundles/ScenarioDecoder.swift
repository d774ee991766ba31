import AuthorizationCore
import DeviceCore
import JSONText
import Metrics
import SimPrimitives
import Simulation

/// What a scenario says, decoded.
struct DecodedScenario {
    var scenario: Scenario
    var blobs: [Bundle.Blob]
    /// As they were written, for the manifest.
    var conditions = ConditionSettings()
    var arms: [ArmSettings] = []
}

/// Turns a tree of settings into a scenario, or complains about all that is wrong with it.
struct ScenarioDecoder {
    let complaints: Complaints
    let loader: ScriptLoader
    /// Without a name of its own a scenario is called after its file.
    let baseName: String
    /// The arm that is decoded, and the names of all that are run.
    var arm = (name: Arm.baseName, all: [Arm.baseName])
    /// Of the scenario, and not run.
    var armsLeftOut: [String] = []

    /// - Returns: nil if there are complaints.
    func decode(_ root: Setting) -> DecodedScenario? {
        let top = Field(setting: root, path: "", complaints: complaints)
        guard let fields = top.fields() else { return nil }
        let name = fields.take("name").map { $0.name("a scenario's name") } ?? baseName
        let devices = fields.require("devices", "how many devices the fleet has, such as 10000")?
            .integer("the number of devices", in: ScenarioLimits.devices)
        let duration = self.duration(fields.take("duration"))
        let seed =
            fields.take("seed").map { $0.integer("a seed", in: UInt64.min...UInt64.max) } ?? 1
        let zone = self.zone(fields.take("start"), fields.take("zone"), duration)
        let mix = fields.take("ios").map(iosMix) ?? [Weighted(Self.iosDefault, weight: 1)]
        let personas = self.personas(
            fields.require("personas", "a list such as [{ name: \"accepts\", weight: 1 }]"))
        let app = self.app(fields.require("app", "an object with info_plist and strategy"), on: mix)
        let rules = Self.rules(fields.take("rules"))
        let delays = self.delays(fields.take("delays"))
        let checkEvery =
            fields.take("check_every").map {
                $0.duration("an interval", from: .seconds(1), to: ScenarioLimits.durationMax)
            } ?? .hours(1)
        let failuresMax = scriptFailuresMax(fields.take("script_failures"))
        let funnels = self.funnels(fields.take("funnels"), features: app?.features ?? [])
        let arms = self.arms(fields.take("arms"))
        var vocabulary = ConditionVocabulary(
            personas: [personas ?? []], funnels: [.builtIn] + funnels,
            arm: arm.name, arms: arm.all, armsLeftOut: armsLeftOut)
        let interventionsField = fields.take("interventions")
        let interventions = self.interventions(interventionsField, &vocabulary)
        let hazardsField = fields.take("hazards")
        let hazards = self.hazards(hazardsField, vocabulary)
        let movementField = fields.take("movement")
        let movement = self.movement(movementField)
        let thresholds = self.thresholds(fields.take("thresholds"), vocabulary)
        let endWhen = fleetCondition(fields.take("end_when"), vocabulary)
        fields.finish()
        guard complaints.isEmpty, let name, let devices, let duration, let seed, let zone, let mix,
            let personas, let app, let checkEvery
        else { return nil }
        var scenario = Scenario(
            name: name, seed: seed, deviceCount: UInt32(devices), duration: duration, zone: zone,
            iosMix: mix, personas: personas, app: app.app, features: app.features, rules: rules,
            delays: delays, funnels: [.builtIn] + funnels, scripts: loader.sources,
            scriptFailuresMax: failuresMax)
        scenario.checkEvery = checkEvery
        scenario.declarations = loader.declarations
        scenario.interventions = interventions.map(\.intervention)
        scenario.updates = loader.updates
        (scenario.hazards, scenario.movement) = (hazards, movement)
        (scenario.thresholds, scenario.endWhen) = (thresholds, endWhen?.condition)
        checkCasts(interventions, of: scenario)
        guard complaints.isEmpty else { return nil }
        var decoded = DecodedScenario(scenario: scenario, blobs: loader.blobs)
        if case .list(let items)? = interventionsField?.setting.value {
            decoded.conditions.interventions = items
        }
        if case .list(let items)? = hazardsField?.setting.value {
            decoded.conditions.hazards = items
        }
        decoded.conditions.movement = movement == nil ? nil : movementField?.setting
        decoded.conditions.endWhen = endWhen?.text
        decoded.arms = arms
        return decoded
    }

    // MARK: - Time

    private func duration(_ field: Field?) -> SimDuration? {
        guard let field else { return .days(30) }
        return field.duration(
            "a duration", from: .milliseconds(1), to: ScenarioLimits.durationMax)
    }

    private func zone(_ start: Field?, _ zone: Field?, _ duration: SimDuration?) -> Zone? {
        if let zone, case .table = zone.setting.value { return self.table(zone) }
        let wall = wallTime(start)
        let name: String
        if let zone {
            guard let text = zone.text("a time zone") else { return nil }
            name = text
        } else {
            name = "UTC"
        }
        guard let resolved = Zone.timeZone(named: name) else {
            let meant = nearest(to: name, among: Zone.knownNames)
                .map { "; did you mean \(quoted($0))?" }
            zone?.complain(
                "there is no time zone \(quoted(name))\(meant ?? ";") names are those of the time "
                    + "zone database, such as \"Europe/Berlin\", and \"UTC\"")
            return nil
        }
        guard let wall else { return nil }
        let span = duration ?? .days(1)
        guard let table = Zone(name: name, resolved, start: wall, duration: span) else {
            start?.complain(
                "clocks in \(name) skip this time: they are put forward there; give one an hour "
                    + "earlier or later")
            return nil
        }
        return table
    }

    /// A zone as bundles have it: resolved.
    private func table(_ field: Field) -> Zone? {
        guard let fields = field.fields() else { return nil }
        let name = fields.require("name", "the zone's name")?.text("a time zone")
        let start = fields.require("start_unix_seconds", "the start since 1970")?
            .integer("a start", in: Int64(0)...5_000_000_000)
        let offsets = fields.require("offsets", "a list such as [[0, 3600]]")?
            .list("offsets", max: ScenarioLimits.zoneOffsetsMax, min: 1)
        fields.finish()
        var read: [Zone.Offset] = []
        for entry in offsets ?? [] {
            guard case .list(let parts) = entry.setting.value, parts.count == 2 else {
                entry.refuse("an instant in microseconds and seconds from UTC are due here")
                return nil
            }
            let pair = parts.map { Field(setting: $0, path: entry.path, complaints: complaints) }
            guard let from = pair[0].integer("an instant", in: 0...SimDuration.max.microseconds),
                let seconds = pair[1].integer("an offset", in: Int32(-86_400)...86_400)
            else { return nil }
            guard read.isEmpty ? from == 0 : from > read[read.count - 1].from.microseconds else {
                entry.complain("offsets begin at 0 and are in order of time")
                return nil
            }
            read.append(
                Zone.Offset(from: SimTime(microseconds: from), secondsFromUTC: seconds))
        }
        guard let name, let start, !read.isEmpty else { return nil }
        return Zone(name: name, startUnixSeconds: start, offsets: read)
    }

    private func wallTime(_ start: Field?) -> WallTime? {
        let years = ScenarioLimits.startYears
        let claim =
            "a start is a date and time such as \"2026-01-05T00:00:00\", in the years "
            + "\(years.lowerBound) to \(years.upperBound)"
        guard let start else { return WallTime("2026-01-05T00:00:00") }
        guard case .string(let text) = start.setting.value, let wall = WallTime(text) else {
            start.refuse(claim)
            return nil
        }
        return wall
    }

    // MARK: - iOS

    private static var iosDefault: IOSVersion { IOSVersion(18, 5) ?? .v18 }

    private func iosMix(_ field: Field) -> [Weighted<IOSVersion>]? {
        guard let entries = field.list("iOS versions", max: ScenarioLimits.iosMax, min: 1) else {
            return nil
        }
        var mix: [Weighted<IOSVersion>] = []
        for entry in entries {
            guard case .list(let parts) = entry.setting.value, parts.count == 2 else {
                entry.refuse("a version and its weight are due here, such as [\"18.5\", 1]")
                continue
            }
            let version = self.version(
                Field(setting: parts[0], path: "\(entry.path)[0]", complaints: complaints))
            let weight = self.weight(
                Field(setting: parts[1], path: "\(entry.path)[1]", complaints: complaints))
            guard let version, let weight else { continue }
            if mix.contains(where: { $0.value == version }) {
                entry.complain("iOS \(version) stands here twice", .duplicateName)
            }
            mix.append(Weighted(version, weight: weight))
        }
        return mix
    }

    func version(_ field: Field) -> IOSVersion? {
        guard case .string(let text) = field.setting.value else {
            field.refuse("a version is text in quotes, such as \"18.5\"")
            return nil
        }
        if let version = IOSVersion(text) { return version }
        field.complain(Self.whyNoVersion(text))
        return nil
    }

    private static func whyNoVersion(_ text: String) -> String {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard 1...2 ~= parts.count, let major = parts[0], parts.count == 1 || parts[1] != nil else {
            return "a version is a number such as \"18\" or \"18.5\", not \(quoted(text))"
        }
        let released = IOSVersion.released
        if let known = released.first(where: { Int($0.major) == major }) {
            return "there is no iOS \(text): the last of iOS \(major) is \(major).\(known.minorMax)"
        }
        if 19...25 ~= major {
            return "there is no iOS \(text): 19 to 25 never existed, Apple numbered the release "
                + "after 18 as 26; the nearest are 18.7 and 26.0"
        }
        guard let first = released.first, let last = released.last else { return "" }
        return "there is no iOS \(text) here: versions are \(first.major).0 to 18.7 and "
            + "\(last.major).0 to \(last.major).\(last.minorMax)"
    }

    func weight(_ field: Field) -> Double? {
        field.number("a weight is above 0 and at most 1,000,000,000") { $0 > 0 && $0 <= 1e9 }
    }
}
