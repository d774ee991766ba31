import JSONText
import Simulation

/// What clients ask of a running bundle, in the words of scenarios.
extension Bundle {
    /// The value of an intervention, as a client gives it.
    public enum RequestedValue: Sendable {
        case string(String)
        case number(Double)
        case bool(Bool)
        case null
    }

    /// The devices that `text` means, in any arm.
    ///
    /// - Throws: `BundleError`, whose message begins with the character that is to blame.
    public func devices(where text: String?) throws(BundleError) -> DeviceCondition {
        guard let text else { return .constant(true) }
        do throws(ConditionError) {
            return try ConditionReader.devices(text, vocabulary)
        } catch {
            throw BundleError(
                .invalidValue, place: "where", "character \(error.column): \(error.message)")
        }
    }

    /// A condition on the figures of an arm, as `end_when` has it.
    ///
    /// - Throws: `BundleError`, whose message begins with the character that is to blame.
    public func fleetCondition(_ text: String) throws(BundleError) -> FleetCondition {
        do throws(ConditionError) {
            var reader = try ConditionReader(text, vocabulary)
            let condition = try reader.fleetCondition()
            try reader.finish()
            return condition
        } catch {
            throw BundleError(
                .invalidValue, place: "condition", "character \(error.column): \(error.message)")
        }
    }

    /// An intervention, without its instant.
    public func intervention(
        where text: String?, share: Double, do word: String, value: RequestedValue?
    ) throws(BundleError) -> Intervention {
        let condition = try devices(where: text)
        let complaints = Complaints(file: "intervene", text: [])
        func field(_ value: Setting.Value, _ name: String) -> Field {
            Field(
                setting: Setting(value, .option(name)), path: name, complaints: complaints)
        }
        let given: Field? = value.map { value in
            switch value {
            case .string(let text): field(.string(text), "value")
            case .number(let number): field(.number(number.description), "value")
            case .bool(let bool): field(.bool(bool), "value")
            case .null: field(.null, "value")
            }
        }
        let decoder = ScenarioDecoder(
            complaints: complaints, loader: ScriptLoader(.blobs([:])) { _, _, _ in [] },
            baseName: "")
        let action = decoder.action(field(.string(word), "do"), given)
        if let error = complaints.errors.first { throw error }
        guard let action else {
            preconditionFailure("an action that cannot be decoded has been complained about")
        }
        return Intervention(
            at: .start, condition: condition, where: text ?? "", share: share, action)
    }

    private var vocabulary: ConditionVocabulary {
        ConditionVocabulary(
            personas: arms.map(\.scenario.personas), funnels: scenario.funnels,
            arms: arms.map(\.name))
    }
}
