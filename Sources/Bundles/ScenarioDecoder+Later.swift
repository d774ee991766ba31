import JSONText
import SimPrimitives

/// Parts of a scenario that are checked in shape and that this version cannot run.
struct LaterParts {
    struct Arm {
        let name: String
        let field: Field
        let sets: [(name: String, origin: Setting.Origin, field: Field)]
    }

    var arms: [Arm] = []
    /// Each part as given, by its key, where it is not empty.
    var given: [(key: String, field: Field)] = []
}

extension ScenarioDecoder {
    func laterParts(_ fields: Fields) -> LaterParts {
        var parts = LaterParts()
        func note(_ key: String, _ field: Field?, isEmpty: Bool) {
            if let field, !isEmpty { parts.given.append((key, field)) }
        }
        let arms = fields.take("arms")
        parts.arms = self.arms(arms)
        note("arms", arms, isEmpty: parts.arms.isEmpty)
        let interventions = fields.take("interventions")
        note("interventions", interventions, isEmpty: self.interventions(interventions) == 0)
        let thresholds = fields.take("thresholds")
        note("thresholds", thresholds, isEmpty: self.thresholds(thresholds) == 0)
        let end = fields.take("end_when")
        if let end, !end.isNull {
            _ = end.text("a condition (null: none)")
            note("end_when", end, isEmpty: false)
        }
        return parts
    }

    private func arms(_ field: Field?) -> [LaterParts.Arm] {
        guard let entries = field?.list("arms", max: ScenarioLimits.armsMax) else { return [] }
        var arms: [LaterParts.Arm] = []
        for entry in entries {
            guard let fields = entry.fields() else { continue }
            let nameField = fields.require("name", "what reports call this arm")
            let name = nameField?.name("an arm's name")
            let set = fields.require("set", "an object such as { \"app.options.x\": 1 }")?.fields()
            fields.finish()
            if name == "base" {
                nameField?.complain("\"base\" is the scenario itself; give another name")
            } else if arms.contains(where: { $0.name == name }) {
                nameField?.complain("this arm's name stands here twice", .duplicateName)
            }
            let sets = set?.rest() ?? []
            for (key, origin, field) in sets {
                let first = key.prefix { $0 != "." }
                guard ["arms", "devices", "seed"].contains(first) else { continue }
                complaints.add(
                    .invalidValue, origin, key: field.path,
                    "an arm has the devices, seed and people of its scenario and cannot set "
                        + "\(first)")
            }
            if let name { arms.append(LaterParts.Arm(name: name, field: entry, sets: sets)) }
        }
        return arms
    }

    private func interventions(_ field: Field?) -> Int {
        let most = ScenarioLimits.interventionsMax
        guard let entries = field?.list("interventions", max: most) else { return 0 }
        for entry in entries {
            guard let fields = entry.fields() else { continue }
            _ = fields.require("at", "an offset from the start, such as \"10d\"")?
                .duration("an offset from the start", to: ScenarioLimits.durationMax)
            _ = fields.take("where")?.text("a condition")
            _ = fields.take("share")?.number("a share is above 0 and at most 1") {
                $0 > 0 && $0 <= 1
            }
            _ = fields.require("do", "what happens, such as \"settings\"")?.name("an action")
            if let value = fields.take("value") {
                switch value.setting.value {
                case .string, .number, .bool, .null: break
                case .list, .table: value.refuse("text, a number, true, false or null is due here")
                }
            }
            fields.finish()
        }
        return entries.count
    }

    private func thresholds(_ field: Field?) -> Int {
        let most = ScenarioLimits.thresholdsMax
        guard let entries = field?.list("thresholds", max: most) else { return 0 }
        for entry in entries { _ = entry.text("a condition") }
        return entries.count
    }
}
