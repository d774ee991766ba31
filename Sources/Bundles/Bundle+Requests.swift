import JSONText
import Simulation

/// What clients ask of a running bundle, in the words of scenarios.
extension Bundle {
    /// The value of an intervention, as a client gives it.
    public indirect enum RequestedValue: Equatable, Sendable {
        case string(String)
        case number(Double)
        case bool(Bool)
        case null
        /// Options by their names.
        case object([Member])

        public struct Member: Equatable, Sendable {
            public var name: String
            public var value: RequestedValue

            public init(_ name: String, _ value: RequestedValue) {
                (self.name, self.value) = (name, value)
            }
        }

        fileprivate var setting: Setting.Value {
            switch self {
            case .string(let text): .string(text)
            case .number(let number): .number(number.description)
            case .bool(let bool): .bool(bool)
            case .null: .null
            case .object(let members):
                .table(
                    members.map {
                        let origin = Setting.Origin.option("value.\($0.name)")
                        return Setting.Member(
                            name: $0.name, origin: origin,
                            setting: Setting($0.value.setting, origin))
                    })
            }
        }
    }

    /// Where the script of an intervention comes from.
    public struct ScriptSupply: Sendable {
        let reader: BundleReader
        let blob: @Sendable (String) -> [UInt8]?
    }

    /// The devices that `text` means, in any arm.
    ///
    /// - Parameter journal: what clients have done to the fleet: conditions may name options of
    ///   the scripts that they have brought.
    /// - Throws: `BundleError`, whose message begins with the character that is to blame.
    public func devices(
        where text: String?, after journal: [Intervention] = []
    ) throws(BundleError) -> DeviceCondition {
        guard let text else { return .constant(true) }
        do throws(ConditionError) {
            return try ConditionReader.devices(text, vocabulary(after: journal))
        } catch {
            throw BundleError(
                .invalidValue, place: "where", "character \(error.column): \(error.message)")
        }
    }

    /// A condition on the figures of an arm, as `end_when` has it.
    ///
    /// - Throws: `BundleError`, whose message begins with the character that is to blame.
    public func fleetCondition(
        _ text: String, after journal: [Intervention] = []
    ) throws(BundleError) -> FleetCondition {
        do throws(ConditionError) {
            var reader = try ConditionReader(text, vocabulary(after: journal))
            let condition = try reader.fleetCondition()
            try reader.finish()
            return condition
        } catch {
            throw BundleError(
                .invalidValue, place: "condition", "character \(error.column): \(error.message)")
        }
    }

    /// An intervention, without its instant.
    ///
    /// - Parameters:
    ///   - sha256: the hash of the script that `value` names; nil where it names none.
    ///   - options: of that script: an object, or nil.
    ///   - journal: as of `devices`.
    ///   - supply: gives the script; see `BundleReader.scripts`.
    public func intervention(
        where text: String?, share: Double, do word: String, value: RequestedValue?,
        sha256: String? = nil, options: RequestedValue? = nil, after journal: [Intervention] = [],
        from supply: ScriptSupply? = nil
    ) throws(BundleError) -> Intervention {
        let condition = try devices(where: text, after: journal)
        let complaints = Complaints(file: "intervene", text: [])
        func field(_ value: RequestedValue, _ name: String) -> Field {
            Field(
                setting: Setting(value.setting, .option(name)), path: name, complaints: complaints)
        }
        var files: [FileSource.BlobKey: [UInt8]] = [:]
        let kinds: [String: Blob.Kind] = ["strategy": .strategy, "behavior": .behavior]
        if let kind = kinds[word], case .string(let name)? = value {
            files[FileSource.BlobKey(kind: kind, name: name)] = try script(sha256, from: supply)
        } else if sha256 != nil {
            throw BundleError(
                .invalidValue, place: "intervene", key: "sha256",
                "only \"strategy\" and \"behavior\" bring a file")
        }
        let nothing: ScriptOutline = { _, _, _ in [] }
        let decoder = ScenarioDecoder(
            complaints: complaints,
            loader: ScriptLoader(
                .blobs(files), supply.map(\.reader.outline) ?? nothing,
                library: supply?.reader.library ?? []), baseName: "")
        let action = decoder.action(
            field(.string(word), "do"), value.map { field($0, "value") },
            options: options.map { field($0, "options") }, isAsked: true)
        if let error = complaints.errors.first { throw error }
        guard let action else {
            preconditionFailure("an action that cannot be decoded has been complained about")
        }
        var intervention = Intervention(
            at: .start, condition: condition, where: text ?? "", share: share, action)
        if action.hasFile, case .string(let name)? = value { intervention.file = name }
        return intervention
    }

    private func script(
        _ sha256: String?, from supply: ScriptSupply?
    ) throws(BundleError) -> [UInt8] {
        guard let sha256 else {
            throw BundleError(
                .missingKey, place: "intervene", key: "sha256",
                "the script's hash is missing: it is sent with blob.put")
        }
        guard let bytes = supply?.blob(sha256) else {
            throw BundleError(
                .missingFile, place: "intervene", key: "sha256",
                "the script \(sha256) has not been sent; send it with blob.put")
        }
        return bytes
    }

    private func vocabulary(after journal: [Intervention]) -> ConditionVocabulary {
        let own = arms.flatMap(\.scenario.interventions)
        return ConditionVocabulary(
            personas: arms.map(\.scenario.personas), funnels: scenario.funnels,
            brought: (own + journal).compactMap(\.action.change).flatMap(\.options),
            arms: arms.map(\.name))
    }
}

extension BundleReader {
    /// What interventions of clients take their scripts from.
    public func scripts(
        _ blob: @escaping @Sendable (String) -> [UInt8]?
    ) -> Bundle.ScriptSupply {
        Bundle.ScriptSupply(reader: self, blob: blob)
    }
}
