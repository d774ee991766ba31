import JSONText
import Simulation

/// An arm as it is written: what it lays over the scenario.
struct ArmSettings {
    let name: String
    let origin: Setting.Origin
    let path: String
    var sets: [(name: String, origin: Setting.Origin, field: Field)]
}

extension ScenarioDecoder {
    /// Keys that belong to the whole run, so that its arms differ in what they do to people alone.
    static let keysOfTheRun = [
        "arms", "devices", "seed", "duration", "start", "zone", "ios", "name", "check_every",
        "end_when", "funnels",
    ]

    func arms(_ field: Field?) -> [ArmSettings] {
        guard let entries = field?.list("arms", max: ScenarioLimits.armsMax) else { return [] }
        var arms: [ArmSettings] = []
        for entry in entries {
            guard let fields = entry.fields() else { continue }
            let nameField = fields.require("name", "what reports call this arm")
            let name = nameField?.name("an arm's name")
            let set = fields.require("set", "an object such as { \"app.options.x\": 1 }")?.fields()
            fields.finish()
            if name == Arm.baseName {
                nameField?.complain("\"base\" is the scenario itself; give another name")
            } else if arms.contains(where: { $0.name == name }) {
                nameField?.complain("this arm's name stands here twice", .duplicateName)
            }
            let sets = set?.rest() ?? []
            for (key, origin, field) in sets {
                let first = String(key.prefix { $0 != "." })
                guard Self.keysOfTheRun.contains(first) else { continue }
                complaints.add(
                    .invalidValue, origin, key: field.path,
                    "an arm has the people, time and funnels of its scenario and cannot set "
                        + first)
            }
            guard let name else { continue }
            arms.append(
                ArmSettings(
                    name: name, origin: entry.setting.origin, path: entry.path, sets: sets))
        }
        return arms
    }

    /// Complains where an arm's people are not those of the base.
    func checkPeople(of arm: Scenario, against base: Scenario, _ settings: ArmSettings) {
        guard !arm.hasPersonas(of: base) else { return }
        complaints.add(
            .invalidValue, settings.origin, key: settings.path,
            "an arm has the people of its scenario: it may change the behavior and options of "
                + "personas, not their number, names or weights")
    }
}

extension Scenario {
    fileprivate func hasPersonas(of base: Scenario) -> Bool {
        personas.elementsEqual(base.personas) { $0.name == $1.name && $0.weight == $1.weight }
    }

    /// Whether this can be an arm of `base`: the same people and phones, seen in the same way for
    /// as long.
    func canBeArm(of base: Scenario) -> Bool {
        let hasPhones = iosMix.elementsEqual(base.iosMix) {
            $0.value == $1.value && $0.weight == $1.weight
        }
        return hasPersonas(of: base) && hasPhones && seed == base.seed && zone == base.zone
            && name == base.name
            && deviceCount == base.deviceCount && duration == base.duration
            && funnels == base.funnels && checkEvery == base.checkEvery
            && (endWhen == nil) == (base.endWhen == nil)
    }
}
