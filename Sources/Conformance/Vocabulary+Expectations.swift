import AuthorizationCore
import DeviceCore
import JSONText

/// What `expect` may hold: the second table of `config/conformance/README.md`.
extension Vocabulary {
    /// The form of an expected value.
    indirect enum Shape: Sendable {
        case boolean, text
        case word([String])
        /// A whole number from 0 on.
        case count
        case number
        case list(Shape)
        case object([String: Shape], needs: [String] = [])
        /// Under names that the case chooses.
        case map(Shape)
        case nullable(Shape)
    }

    static let expectedCountMax = 1_000_000_000.0

    /// The keys of `expect`, in the order in which they are compared.
    static let expectations: KeyValuePairs<String, Shape> = [
        "status": status, "accuracy": accuracy, "initial_callback": .nullable(callback),
        "callbacks": .list(callback), "manager_callbacks": .map(.list(callback)),
        "prompt": .nullable(
            .object([
                "kind": .word(PromptKind.allCases.map(\.rawValue)),
                "choices": .list(.word(Choice.allCases.map(\.rawValue))), "usage_key": .text,
                "precise_toggle": .boolean, "map": .boolean,
            ])),
        "delivered": .list(
            .object(["service": .word(consumers), "id": .text, "kind": .word(deliveredKinds)])),
        "delivered_count": .object(
            ["service": .word(consumers), "min": .count, "max": .count], needs: ["service"]),
        "location": .object(
            ["horizontal_accuracy_min": .number], needs: ["horizontal_accuracy_min"]),
        "errors": .list(
            .object(["service": .word(consumers), "id": .text, "code": .word(errorCodes)])),
        "completion": .object(["error": .nullable(.word(errorCodes))], needs: ["error"]),
        "diagnostics": .object([
            LocationConsumer.serviceSession.rawValue: flags,
            LocationConsumer.liveUpdates.rawValue: flags,
            LocationConsumer.monitor.rawValue: flags,
        ]),
        "app": .word(ProcessState.allCases.map(\.rawValue)), "launched_by_system": .boolean,
        "indicator": .boolean,
        "settings": .nullable(
            .object(["selected": .nullable(row), "choices": .list(row)])),
        "monitored": .list(.text), "monitored_count": .count, "widget_authorized": .boolean,
        "services_enabled": .boolean, "crashed": .boolean,
    ]

    private static let status = Shape.word(VisibleStatus.allCases.map(\.rawValue))
    private static let accuracy = Shape.word(Accuracy.allCases.map(\.rawValue))
    private static let callback = Shape.object(["status": status, "accuracy": accuracy])
    private static let row = Shape.word(SettingsRow.allCases.map(\.rawValue))
    private static let consumers = services + ["request_location"]
    private static let deliveredKinds =
        (eventKinds.values.joined() + ["state_inside", "state_outside", "unmonitored"]).sorted()
    /// L3, and those of Apple's that no rule here sets.
    static let flagNames =
        DiagnosticFlags.names + ["locationUnavailable", "stationary", "persistenceUnavailable"]
    private static let flags = Shape.list(.word(flagNames))
    /// Section 14.
    static let errorCodes = [
        "locationUnknown", "denied", "network", "headingFailure", "regionMonitoringDenied",
        "regionMonitoringFailure", "regionMonitoringSetupDelayed",
        "regionMonitoringResponseDelayed", "rangingUnavailable", "rangingFailure",
        "promptDeclined", "historicalLocationError",
    ]
}

extension CaseReader {
    /// The value of a key of `expect`, in its form: a slip of the pen must not pass for a rule.
    func expected(
        _ node: JSONNode, _ shape: Vocabulary.Shape, _ place: String
    ) throws(ConformanceError) -> ConformanceCase.Value {
        switch shape {
        case .boolean: return .boolean(try boolean(node, place))
        case .text: return .text(try text(node, place))
        case .word(let words):
            return .text(try word(text(node, place), among: words, in: place))
        case .number:
            let number = try number(node, place)
            guard abs(number) <= Vocabulary.expectedCountMax else {
                throw error("\(place) is a number of at most \(Int64(Vocabulary.expectedCountMax))")
            }
            return .number(number)
        case .count:
            let count = try number(node, place)
            guard count >= 0, count == count.rounded(), count <= Vocabulary.expectedCountMax else {
                throw error(
                    "\(place) is a whole number in 0 ... \(Int64(Vocabulary.expectedCountMax))")
            }
            return .number(count)
        case .nullable(let shape):
            if case .null = node.value { return .null }
            return try expected(node, shape, place)
        case .list(let shape):
            var values: [ConformanceCase.Value] = []
            for (index, item) in try list(node, place).enumerated() {
                values.append(try expected(item, shape, "\(place) \(index + 1)"))
            }
            return .list(values)
        case .map(let shape):
            var values: [String: ConformanceCase.Value] = [:]
            for (name, node) in try object(node, place).sorted(by: { $0.key < $1.key }) {
                values[name] = try expected(node, shape, "\(place): \(name)")
            }
            return .object(values)
        case .object(let shapes, let needs):
            let members = try object(node, place)
            try check(members, among: shapes.keys.sorted(), of: place)
            for name in needs where members[name] == nil { throw error("\(place) needs \(name)") }
            var values: [String: ConformanceCase.Value] = [:]
            for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
                guard let node = members[name] else { continue }
                values[name] = try expected(node, shape, "\(place): \(name)")
            }
            return .object(values)
        }
    }
}
