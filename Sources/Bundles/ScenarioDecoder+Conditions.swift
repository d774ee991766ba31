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
    func interventions(
        _ field: Field?, _ vocabulary: inout ConditionVocabulary
    ) -> [(intervention: Intervention, entry: Field)] {
        let most = ScenarioLimits.interventionsMax
        guard let entries = field?.list("interventions", max: most) else { return [] }
        // Scripts first: every condition may name the options of each.
        let actions = entries.map { entry in
            entry.fields().map { (fields: $0, action: self.action(of: $0)) }
        }
        vocabulary.brought = loader.brought
        let read = zip(entries, actions).compactMap { entry, decoded in
            decoded.flatMap { intervention($0.fields, $0.action, vocabulary) }.map {
                (intervention: $0, entry: entry)
            }
        }
        return read.enumerated().sorted {
            ($0.element.intervention.at, $0.offset) < ($1.element.intervention.at, $1.offset)
        }.map(\.element)
    }

    private func action(of fields: Fields) -> (action: InterventionAction, file: String)? {
        let value = fields.take("value")
        let action = self.action(
            fields.require("do", "what happens, such as \"settings\""), value,
            options: fields.take("options"))
        guard let action else { return nil }
        return (action, action.hasFile ? value?.text("a file") ?? "" : "")
    }

    private func intervention(
        _ fields: Fields, _ action: (action: InterventionAction, file: String)?,
        _ vocabulary: ConditionVocabulary
    ) -> Intervention? {
        let at = fields.require("at", "an offset from the start, such as \"10d\"")?
            .duration("an offset from the start", to: ScenarioLimits.durationMax)
        let (condition, text) = deviceCondition(fields.take("where"), vocabulary)
        let share = fields.take("share").map { self.share($0) } ?? 1
        fields.finish()
        guard let at, let share, let action else { return nil }
        var intervention = Intervention(
            at: .start + at, condition: condition, where: text, share: share, action.action)
        intervention.file = action.file
        return intervention
    }

    /// Complains about options that those whom an intervention means do not have, and about more
    /// combinations of scripts and options than there may be.
    func checkCasts(
        _ interventions: [(intervention: Intervention, entry: Field)], of scenario: Scenario
    ) {
        var table = CastTable(scenario)
        let place = arm.all.firstIndex(of: arm.name) ?? 0
        for (intervention, entry) in interventions where intervention.action.recasts {
            if let misfit = table.misfit(of: intervention, arm: place, in: scenario) {
                entry.complain(misfit.message(place: "", nearest: { nearest(to: $0, among: $1) }))
                return
            }
            guard table.apply(intervention, arm: place, in: scenario) != nil else {
                entry.complain(
                    "there are at most \(CastTable.countMax) different combinations of script and "
                        + "options, and this could make more; say with where whom it means",
                    .tooMany)
                return
            }
        }
    }

    func share(_ field: Field) -> Double? {
        field.number("a share is above 0 and at most 1") { $0 > 0 && $0 <= 1 }
    }

    /// What `do`, `value` and `options` come to; nil after a complaint.
    ///
    /// - Parameters:
    ///   - isHazard: scripts and options stay what they are.
    ///   - isAsked: of a client, which has no Info.plist to bring.
    func action(
        _ field: Field?, _ value: Field?, options: Field? = nil, isHazard: Bool = false,
        isAsked: Bool = false
    ) -> InterventionAction? {
        let kinds = isAsked ? InterventionAction.Kind.askable : InterventionAction.Kind.allCases
        if isAsked, case .string(InterventionAction.Kind.updateApp.rawValue)? = field?.setting.value
        {
            field?.complain(
                "\"update_app\" is for a scenario's interventions: a client cannot send an "
                    + "Info.plist")
            return nil
        }
        guard let field, let word = field.word(among: kinds.map(\.rawValue)),
            let kind = InterventionAction.Kind(rawValue: word)
        else { return nil }
        func due(_ what: String) -> Field? {
            if value == nil {
                field.complain("\(quoted(word)) takes a value: \(what)", .missingKey)
            }
            return value
        }
        var toggle: Bool? { due("true or false")?.bool() }
        if isHazard, Self.kindsOfCasts.contains(kind) {
            field.complain(
                "scripts and options are changed by interventions; no hazard does \(quoted(word))")
            return nil
        }
        if let options, kind != .strategy, kind != .behavior {
            options.complain("\(quoted(word)) takes no options: they belong to a script")
            return nil
        }
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
        case .strategy:
            return due("the new strategy, a Lua file").flatMap { change($0, .strategy, options) }
                .map { .strategy($0) }
        case .behavior:
            return due("the new behavior, a Lua file").flatMap { change($0, .behavior, options) }
                .map { .behavior($0) }
        case .options: return due(Self.settingsClaim).flatMap(settings).map { .options($0) }
        case .appOptions: return due(Self.settingsClaim).flatMap(settings).map { .appOptions($0) }
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

// MARK: - Scripts and options

extension ScenarioDecoder {
    private static let kindsOfCasts: [InterventionAction.Kind] = [
        .strategy, .behavior, .options, .appOptions,
    ]
    private static let settingsClaim = "an object of options, such as { grant_share: 0.2 }"
    /// Options that one intervention sets.
    private static let settingsMax = 256

    private func change(_ value: Field, _ role: ScriptRole, _ options: Field?) -> ScriptChange? {
        guard let script = loader.broughtScript(value, role) else { return nil }
        return ScriptChange(
            loader.sources[script.index], declared: script.options,
            options: self.options(options, of: script, named: value))
    }

    private func settings(_ value: Field) -> [OptionSetting]? {
        guard case .table = value.setting.value, let fields = value.fields() else {
            value.refuse("\(Self.settingsClaim) is due here")
            return nil
        }
        let given = fields.rest()
        guard 1...Self.settingsMax ~= given.count else {
            value.complain("an intervention sets 1 to \(Self.settingsMax) options")
            return nil
        }
        let settings = given.compactMap { name, _, field -> OptionSetting? in
            switch field.setting.value {
            case .bool(let flag): return OptionSetting(name, .boolean(flag))
            case .string: return field.optionText().map { OptionSetting(name, .string($0)) }
            case .number:
                return field.number("an option's number is finite") { _ in true }
                    .map { OptionSetting(name, .number($0)) }
            case .null, .list, .table:
                field.refuse("an option is a number, true, false or text")
                return nil
            }
        }
        return settings.count == given.count ? settings : nil
    }
}

extension InterventionAction {
    /// Whether its value names a file.
    var hasFile: Bool {
        switch self {
        case .updateApp, .strategy, .behavior: true
        case .act, .terminate, .options, .appOptions: false
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
