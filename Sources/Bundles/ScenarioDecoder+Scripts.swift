import AuthorizationCore
import JSONText
import Simulation

/// Personas and the app: what names scripts.
extension ScenarioDecoder {
    struct DecodedApp {
        let app: Scenario.App
        let features: [String]
    }

    func personas(_ field: Field?) -> [Scenario.Persona]? {
        guard let field,
            let entries = field.list("personas", max: ScenarioLimits.personasMax, min: 1)
        else { return nil }
        var personas: [Scenario.Persona] = []
        for entry in entries {
            guard let fields = entry.fields() else { continue }
            let nameField = fields.require("name", "what reports call this persona")
            let name = nameField?.name("a persona's name")
            let weight = fields.take("weight").map(self.weight) ?? 1
            let behavior = fields.take("behavior") ?? entry.implied("behavior", "archetype.lua")
            let script = loader.script(behavior, .behavior)
            let options = self.options(fields.take("options"), of: script, named: behavior)
            let rhythm = self.rhythm(fields.take("rhythm"))
            fields.finish()
            if let name, personas.contains(where: { $0.name == name }) {
                nameField?.complain("persona \(quoted(name)) stands here twice", .duplicateName)
            }
            guard let name, let weight, let script else { continue }
            var persona = Scenario.Persona(
                name: name, weight: weight, behavior: script.index, options: options)
            persona.rhythm = rhythm
            personas.append(persona)
        }
        return personas
    }

    /// - Parameter mix: the versions of the devices.
    func app(_ field: Field?, on mix: [Weighted<IOSVersion>]?) -> DecodedApp? {
        guard let fields = field?.fields() else { return nil }
        let name = fields.take("name").map { $0.name("the app's name") } ?? "App"
        let plist = fields.require("info_plist", "the app's Info.plist, a file")
            .flatMap(loader.infoPlist)
        let strategy = fields.require("strategy", "when the app asks: a Lua file")
        let script = strategy.flatMap { loader.script($0, .strategy) }
        let optionsField = fields.take("options")
        let options = strategy.map { self.options(optionsField, of: script, named: $0) } ?? []
        let features = fields.take("features").map(self.features) ?? []
        let isAppClip = fields.take("app_clip").flatMap { self.isAppClip($0, mix) } ?? false
        fields.finish()
        guard let name, let plist, let script, let features else { return nil }
        var capabilities = plist.capabilities
        capabilities.isAppClip = isAppClip
        var app = Scenario.App(
            name: name, capabilities: capabilities, usageTexts: plist.usageTexts,
            strategy: script.index, options: options)
        app.temporaryPurposeKeys = plist.temporaryPurposeKeys
        return DecodedApp(app: app, features: features)
    }

    /// X1: nil after a complaint.
    private func isAppClip(_ field: Field, _ mix: [Weighted<IOSVersion>]?) -> Bool? {
        guard let isAppClip = field.bool() else { return nil }
        if isAppClip, let old = mix?.map(\.value).filter({ $0 < .v14 }).min() {
            field.complain("App Clips exist from iOS 14 on, and ios has \(old)")
        }
        return isAppClip
    }

    private func features(_ field: Field) -> [String]? {
        names(field, "features", "a feature", max: ScenarioLimits.featuresMax)
    }

    private func names(_ field: Field, _ plural: String, _ one: String, max: Int) -> [String]? {
        guard let entries = field.list(plural, max: max) else { return nil }
        var names: [String] = []
        for entry in entries {
            guard let name = entry.name("\(one)'s name") else { continue }
            if names.contains(name) {
                entry.complain("\(one) \(quoted(name)) stands here twice", .duplicateName)
            }
            names.append(name)
        }
        return names
    }

    // MARK: - Options

    /// The values of every option that `script` declares, in its order.
    ///
    /// Where an arm or the command line has put another script, options that were given to the one
    /// before and that the new one does not have are left out.
    func options(
        _ field: Field?, of script: ScriptLoader.Script?, named scriptField: Field
    ) -> [ScriptOption] {
        var given: [String: Field] = [:]
        if let field, let fields = field.fields() {
            for (name, origin, value) in fields.rest() {
                given[name] = value
                guard let script, !script.options.contains(where: { $0.name == name }),
                    !value.setting.isInherited(under: scriptField.setting)
                else { continue }
                let known = script.options.map(\.name)
                let isNear = nearest(to: name, among: known) != nil
                complaints.add(
                    .unknownKey, origin, key: value.path,
                    unknown("option", name, among: known, owner: " in \(script.name)")
                        + (isNear
                            ? "" : "; options belong to a script: take out those of another"))
            }
        }
        return (script?.options ?? []).map { declared in
            let value = given[declared.name].flatMap { self.value(of: declared, $0) }
            var option = ScriptOption(
                name: declared.name, value: value ?? declared.value,
                isAssumed: value == nil && declared.isAssumed, isGiven: value != nil)
            if value == nil, loader.isUnknown(source: declared.source) {
                option.statedSource = declared.source
            }
            return option
        }
    }

    private func value(of option: DeclaredOption, _ field: Field) -> ScriptOption.Value? {
        switch option.value {
        case .boolean: field.bool().map { .boolean($0) }
        case .string: field.optionText().map { .string($0) }
        case .number:
            field.number("a number is due here\(option.bounds)") {
                $0 >= option.min ?? -.infinity && $0 <= option.max ?? .infinity
            }.map { .number($0) }
        }
    }
}

extension Setting {
    /// Whether this option was given without knowing of `script`: on a layer below, or in the file
    /// (arms included) while the command line put the script.
    fileprivate func isInherited(under script: Setting) -> Bool {
        if layer < script.layer { return true }
        if case .option = script.origin, case .text = origin { return true }
        return false
    }
}

extension DeclaredOption {
    /// ", 0 to 1 (share)".
    fileprivate var bounds: String {
        let range: String =
            switch (min, max) {
            case (let min?, let max?): ", \(grouped(min)) to \(grouped(max))"
            case (let min?, nil): ", at least \(grouped(min))"
            case (nil, let max?): ", at most \(grouped(max))"
            case (nil, nil): ""
            }
        return unit.isEmpty ? range : "\(range) (\(unit))"
    }
}

extension Field {
    /// A default that stands for an absent member of this object.
    fileprivate func implied(_ name: String, _ text: String) -> Field {
        Field(
            setting: Setting(.string(text), setting.origin), path: "\(path).\(name)",
            complaints: complaints)
    }

    /// Text that may be empty.
    func optionText() -> String? {
        if case .string("") = setting.value { "" } else { text("a value of this option") }
    }
}
