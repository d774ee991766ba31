import JSONText
import SimPrimitives
import Simulation

extension Overrides {
    func lay(over root: inout Setting) throws(BundleError) {
        if let devices { try set("devices", .number("\(devices)"), "--devices", &root) }
        if let seed { try set("seed", .number("\(seed)"), "--seed", &root) }
        if let days {
            let most = ScenarioLimits.durationMax.seconds / 86_400
            guard days > 0, days <= most else {
                throw BundleError(
                    .invalidValue, place: "--days",
                    "a fleet lives for more than 0 and at most \(grouped(most)) days, not "
                        + grouped(days))
            }
            let micros = SimDuration(microseconds: Int64((days * 86_400_000_000).rounded()))
            try set("duration", .string(micros.inExactUnits), "--days", &root)
        }
        guard arms.count <= ScenarioLimits.armsGivenMax else {
            throw BundleError(
                .tooMany, place: "--arm",
                "at most \(ScenarioLimits.armsGivenMax) may be given")
        }
        guard sets.count <= ScenarioLimits.setsMax else {
            throw BundleError(
                .tooMany, place: "--set", "at most \(ScenarioLimits.setsMax) may be given")
        }
        for (key, value) in sets {
            let option = "--set \(key)"
            let setting = try Setting(typed: value, option)
            try set(key, setting.value, option, &root)
        }
    }

    /// What the arms to run are called, before anything is checked: conditions may name them.
    func namesOfArms(in root: Setting) -> [String] {
        guard arms.isEmpty else {
            return arms.map { $0.hasSuffix(".lua") ? Self.name(ofFile: $0) : $0 }
        }
        return Self.namesOfOwnArms(in: root)
    }

    /// Arms of the scenario that are not to run.
    func namesOfArmsLeftOut(in root: Setting) -> [String] {
        let chosen = namesOfArms(in: root)
        return Self.namesOfOwnArms(in: root).filter { !chosen.contains($0) }
    }

    private static func namesOfOwnArms(in root: Setting) -> [String] {
        guard case .list(let items)? = root["arms"]?.value else { return [] }
        return items.compactMap {
            if case .string(let name)? = $0["name"]?.value { name } else { nil }
        }
    }

    /// The first word of `--arm` that is neither an arm of the scenario nor a file: it is to blame
    /// where conditions name an arm that does not run for it.
    func unknownArm(in root: Setting) -> BundleError? {
        let known = Self.namesOfOwnArms(in: root)
        guard let word = arms.first(where: { !$0.hasSuffix(".lua") && !known.contains($0) }) else {
            return nil
        }
        return BundleError(.unknownKey, place: "--arm", Self.complaint(of: word, known))
    }

    private static func complaint(of word: String, _ known: [String]) -> String {
        unknown("arm", word, among: known) + "; the file of a strategy ends in .lua"
    }

    /// The arms to run: those that are named, and one for each strategy's file; all where none is.
    func chosenArms(of known: [ArmSettings], _ complaints: Complaints) -> [ArmSettings] {
        guard !arms.isEmpty else { return known }
        var chosen: [ArmSettings] = []
        for word in arms {
            let origin = Setting.Origin.option("--arm")
            if let arm = known.first(where: { $0.name == word }) {
                chosen.append(arm)
            } else if word.hasSuffix(".lua") {
                let file = Field(
                    setting: Setting(.string(word), origin), path: word, complaints: complaints)
                chosen.append(
                    ArmSettings(
                        name: Self.name(ofFile: word), origin: origin, path: word,
                        sets: [("app.strategy", origin, file)]))
            } else {
                complaints.add(
                    .unknownKey, origin, key: "", Self.complaint(of: word, known.map(\.name)))
            }
        }
        for (index, arm) in chosen.enumerated()
        where chosen[..<index].contains(where: { $0.name == arm.name })
            || arm.name == Arm.baseName
        {
            complaints.add(
                .duplicateName, .option("--arm"), key: "",
                "there are two arms called \(quoted(arm.name))")
        }
        return chosen
    }

    /// `ask_on_launch` of `strategies/ask_on_launch.lua`.
    private static func name(ofFile path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.dropLast(4))
    }

    private func set(
        _ key: String, _ value: Setting.Value, _ option: String, _ root: inout Setting
    ) throws(BundleError) {
        let setting = Setting(value, .option(option)).given(by: .option(option), layer: 1)
        do throws(PathError) {
            try root.overlay(key, setting)
        } catch {
            throw BundleError(.unknownKey, place: option, error.message)
        }
    }
}

extension Setting {
    /// The VALUE of `--set`: JSON5, and a bare word is text.
    init(typed text: String, _ option: String) throws(BundleError) {
        do throws(JSONError) {
            self = Setting(try JSONReader.read(Array(text.utf8), as: .json5))
        } catch {
            let first = text.unicodeScalars.first { $0 != " " }
            guard let first, !"{[\"'".unicodeScalars.contains(first) else {
                throw BundleError(
                    .malformedJSON, place: option,
                    "the value is JSON5 or a bare word; at \(error.position): \(error.message)")
            }
            self = Setting(.string(text), .option(option))
        }
    }
}
