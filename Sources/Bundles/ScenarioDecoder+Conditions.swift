import AuthorizationCore
import DeviceCore
import JSONText
import SimPrimitives
import Simulation

/// Interventions and conditions as they were written, for the manifest.
struct ConditionSettings {
    var interventions: [Setting] = []
    var hazards: [Setting] = []
    var movement: Setting?
    var endWhen: String?
}

extension ScenarioDecoder {
    func thresholds(_ field: Field?, _ vocabulary: ConditionVocabulary) -> [Threshold] {
        let most = ScenarioLimits.thresholdsMax
        guard let entries = field?.list("thresholds", max: most) else { return [] }
        return entries.compactMap { entry in
            fleetCondition(entry, vocabulary).map {
                Threshold(text: $0.text, condition: $0.condition)
            }
        }
    }

    /// A condition on an arm's figures; nil after a complaint, and for null.
    func fleetCondition(
        _ field: Field?, _ vocabulary: ConditionVocabulary
    ) -> (text: String, condition: FleetCondition)? {
        guard let field, !field.isNull, let text = field.text("a condition") else { return nil }
        do throws(ConditionError) {
            var reader = try ConditionReader(text, vocabulary)
            let condition = try reader.fleetCondition()
            try reader.finish()
            return (text, condition)
        } catch {
            field.complain("character \(error.column): \(error.message)")
            return nil
        }
    }

    /// A condition on devices, and its text; without one, or after a complaint, all are meant.
    func deviceCondition(
        _ field: Field?, _ vocabulary: ConditionVocabulary
    ) -> (condition: DeviceCondition, text: String) {
        guard let field, !field.isNull, let text = field.text("a condition") else {
            return (.constant(true), "")
        }
        do throws(ConditionError) {
            return (try ConditionReader.devices(text, vocabulary), text)
        } catch {
            field.complain("character \(error.column): \(error.message)")
            return (.constant(true), "")
        }
    }

    // MARK: - Interventions

    /// In order of their instants; those of one instant as they stand.
    func interventions(_ field: Field?, _ vocabulary: ConditionVocabulary) -> [Intervention] {
        let most = ScenarioLimits.interventionsMax
        guard let entries = field?.list("interventions", max: most) else { return [] }
        let read = entries.compactMap { intervention($0, vocabulary) }
        return read.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
    }

    private func intervention(
        _ entry: Field, _ vocabulary: ConditionVocabulary
    ) -> Intervention? {
        guard let fields = entry.fields() else { return nil }
        let at = fields.require("at", "an offset from the start, such as \"10d\"")?
            .duration("an offset from the start", to: ScenarioLimits.durationMax)
        let (condition, text) = deviceCondition(fields.take("where"), vocabulary)
        let share = fields.take("share").map { self.share($0) } ?? 1
        let value = fields.take("value")
        let action = self.action(
            fields.require("do", "what happens, such as \"settings\""), value)
        fields.finish()
        guard let at, let share, let action else { return nil }
        var intervention = Intervention(
            at: .start + at, condition: condition, where: text, share: share, action)
        if case .updateApp = action { intervention.file = value?.text("a file") ?? "" }
        return intervention
    }

    func share(_ field: Field) -> Double? {
        field.number("a share is above 0 and at most 1") { $0 > 0 && $0 <= 1 }
    }

    /// What `do` and `value` come to; nil after a complaint.
    func action(_ field: Field?, _ value: Field?) -> InterventionAction? {
        guard let field,
            let word = field.word(among: InterventionAction.Kind.allCases.map(\.rawValue)),
            let kind = InterventionAction.Kind(rawValue: word)
        else { return nil }
        func due(_ what: String) -> Field? {
            if value == nil {
                field.complain("\(quoted(word)) takes a value: \(what)", .missingKey)
            }
            return value
        }
        var toggle: Bool? { due("true or false")?.bool() }
        switch kind {
        case .settings:
            let rows = SettingsRow.allCases.filter { $0 != .whileUsingOrWidgets }.map(\.rawValue)
            return due("a row, such as \"never\"")?.word(among: rows)
                .flatMap { SettingsRow(rawValue: $0) }.map { .act(.settings($0)) }
        case .precise: return toggle.map { .act(.precise($0)) }
        case .locationServices: return toggle.map { .act(.locationServices($0)) }
        case .restrictLocation: return toggle.map { .act(.restriction($0)) }
        case .backgroundAppRefresh: return toggle.map { .act(.backgroundRefresh($0)) }
        case .reinstall:
            guard let value, !value.isNull else { return .act(.reinstall(after: .zero)) }
            return value.duration("how long the app is gone", to: ScenarioLimits.durationMax)
                .map { .act(.reinstall(after: $0)) }
        case .updateApp:
            return due("the new Info.plist, a file").flatMap(loader.update)
                .map { .updateApp($0) }
        case .upgradeOS:
            return due("a version, such as \"26.0\"").flatMap(version).map {
                .act(.upgradeOS($0))
            }
        case .resetLocationPrivacy, .forceQuit, .terminate, .reboot, .deleteApp, .placeWidget,
            .tapLocationButton, .migrateDevice:
            if let value, !value.isNull { value.complain("\(quoted(word)) takes no value") }
        }
        switch kind {
        case .resetLocationPrivacy: return .act(.resetLocationPrivacy)
        case .forceQuit: return .act(.forceQuit)
        case .terminate: return .terminate
        case .reboot: return .act(.reboot)
        case .migrateDevice: return .act(.migrateDevice)
        case .placeWidget: return .act(.placeWidget)
        case .tapLocationButton: return .act(.tapLocationButton)
        default: return .act(.deleteApp)
        }
    }
}

extension ConditionReader {
    /// The whole of `text` as a condition on devices.
    static func devices(
        _ text: String, _ vocabulary: ConditionVocabulary
    ) throws(ConditionError) -> DeviceCondition {
        var reader = try ConditionReader(text, vocabulary)
        let condition = try reader.deviceCondition()
        try reader.finish()
        return condition
    }
}
