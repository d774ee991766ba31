import JSONText
import Testing

@testable import ControlProtocol

@Suite("The table of methods")
struct MethodTableTests {
    private static func value(_ text: String) -> JSONValue? {
        (try? JSONReader.read(Array(text.utf8), as: .json))?.value
    }

    /// A value that `form` accepts, and ones just beyond it.
    private static func probes(_ form: ValueForm) -> (good: [String], bad: [String]) {
        let long = String(repeating: "a", count: ControlRequest.textBytesMax)
        let hash = String(repeating: "0a", count: 32)
        switch form {
        case .bool: return (["true", "false"], ["1", "\"true\"", "null"])
        case .integer(let range):
            return (
                ["\(range.lowerBound)", "\(range.upperBound)"],
                ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "1.5", "\"1\"", "1e99"]
            )
        case .count: return (["0", "18446744073709551615"], ["-1", "18446744073709551616", "1.5"])
        case .number(let range):
            return (
                ["\(range.lowerBound)", "\(range.upperBound)"],
                ["\(range.lowerBound.nextDown)", "\(range.upperBound.nextUp)", "\"1\"", "1e999"]
            )
        case .share(let most): return (["1e-9", "\(most)"], ["0", "\(most.nextUp)", "-1"])
        case .anyNumber: return (["-1.5"], ["1e999", "\"1\""])
        case .text(let bytes):
            let most = min(bytes.upperBound, ControlRequest.textBytesMax)
            return (
                [quoted(String(repeating: "a", count: most))],
                ["1", "[]"] + (bytes.upperBound > most ? [] : [quoted(long + "a")])
            )
        case .fleetName: return ([#""demo""#], ["\"\"", #"".a""#, #""-a""#, #""a b""#, "7"])
        case .sha256: return ([quoted(hash)], [quoted(hash + "0"), quoted(hash.uppercased())])
        case .bundle:
            return (
                [quoted(hash), quoted("sha256:" + hash)],
                [quoted("sha1:" + hash), quoted("sha256:"), quoted("sha256:sha256:" + hash), "7"]
            )
        case .base64: return (["\"\"", #""aGk=""#], [#""aGk""#, "1"])
        case .rate: return ([#""max""#, #""0.001x""#], [#""fast""#, "60", #""0.0001x""#])
        case .choice(let words): return (words.map { quoted($0) }, [#""other""#, "1"])
        case .choices(let words):
            let all = words.map { quoted($0) }.joined(separator: ",")
            return (["[]", "[\(all)]"], ["[\(quoted(words[0])),\(all)]", #"["other"]"#, "1"])
        case .list(let form, let counts):
            let (good, bad) = probes(form)
            let least = Array(repeating: good[0], count: counts.lowerBound)
            let most = Array(repeating: good[0], count: counts.upperBound + 1)
            return (
                ["[\(least.joined(separator: ","))]"],
                ["[\(most.joined(separator: ","))]", "[\(bad[0])]", "7"]
            )
        case .scalar: return ([#""a""#, "1.5", "true", "null"], ["[]", "{}", quoted(long + "a")])
        case .scalarOrMap:
            let (good, bad) = probes(.scalar)
            return (
                good + ["{}", "{\"a\":1,\"b\":null}"],
                bad.filter { $0 != "{}" } + ["{\"a\":{}}", "{\"a\":[1]}"]
            )
        case .nullable(let form):
            let (good, bad) = probes(form)
            return (good + ["null"], bad)
        case .object: return ([], ["1"])
        case .map: return (["{}"], ["1"])
        case .named(_, let form): return probes(form)
        }
    }

    private static func object(_ members: [(String, String)]) -> JSONValue? {
        value("{" + members.map { "\(quoted($0)):\($1)" }.joined(separator: ",") + "}")
    }

    private static func required(_ method: ControlMethod) -> [(String, String)] {
        method.parameters.filter(\.isRequired).map { ($0.name, probes($0.form).good[0]) }
    }

    private static func decode(
        _ method: ControlMethod, _ members: [(String, String)]
    ) -> Result<ControlRequest, ControlError> {
        Result { () throws(ControlError) in
            try ControlRequest(method: method.name, object(members))
        }
    }

    @Test("has every name once, each method with words for people")
    func names() {
        let methods = ControlMethod.allCases
        #expect(Set(methods.map(\.name)).count == methods.count)
        for method in methods {
            #expect(Set(method.parameters.map(\.name)).count == method.parameters.count)
            #expect(!method.summary.isEmpty && !method.summary.hasSuffix("."))
            for entry in method.parameters { #expect(!entry.about.isEmpty) }
        }
    }

    @Test("has just the parameters that decoding takes", arguments: ControlMethod.allCases)
    func taken(_ method: ControlMethod) throws {
        for members in [
            Self.required(method),
            method.parameters.map { ($0.name, Self.probes($0.form).good[0]) },
        ] {
            var parameters = try ControlParameters(method, Self.object(members))
            _ = method.decode(&parameters)
            #expect(parameters.taken == Set(method.parameters.map(\.name)))
        }
    }

    @Test("has the defaults and ranges that decoding has", arguments: ControlMethod.allCases)
    func ranges(_ method: ControlMethod) throws {
        let required = Self.required(method)
        let plain = try Self.decode(method, required).get()
        for entry in method.parameters {
            let others = required.filter { $0.0 != entry.name }
            let (good, bad) = Self.probes(entry.form)
            #expect(!good.isEmpty)
            for value in good {
                #expect(throws: Never.self, "\(entry.name): \(value)") {
                    try Self.decode(method, others + [(entry.name, value)]).get()
                }
            }
            for value in bad {
                let message = "\"\(entry.name)\" is \(entry.form.claim)"
                let refusal = ControlError(.invalidParameter, message, parameter: entry.name)
                #expect(
                    Self.decode(method, others + [(entry.name, value)]) == .failure(refusal),
                    "\(value)")
            }
            if entry.isRequired {
                let refusal = ControlError(
                    .missingParameter, "\"\(entry.name)\" is missing", parameter: entry.name)
                #expect(Self.decode(method, others) == .failure(refusal))
            } else if let text = entry.defaultText {
                #expect(try Self.decode(method, others + [(entry.name, text)]).get() == plain)
            }
        }
    }

    @Test("takes parameters by place as by name", arguments: ControlMethod.allCases)
    func places(_ method: ControlMethod) throws {
        let values = method.parameters.map { Self.probes($0.form).good[0] }
        let named = try Self.decode(method, Array(zip(method.parameters.map(\.name), values))).get()
        let list = Self.value("[" + values.joined(separator: ",") + "]")
        #expect(try ControlRequest(method: method.name, list) == named)
        let longer = Self.value("[" + (values + ["null"]).joined(separator: ",") + "]")
        let error = #expect(throws: ControlError.self) {
            try ControlRequest(method: method.name, longer)
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test("has examples that its forms accept", arguments: ControlMethod.allCases)
    func examples(_ method: ControlMethod) throws {
        let parameters = Self.value(method.example.parameters)
        #expect(throws: Never.self) { try ControlRequest(method: method.name, parameters) }
        let result = try #require(Self.value(method.example.result))
        #expect(method.result.accepts(result))
    }

    @Test("is what requests are named by, as on the wire")
    func requests() throws {
        for method in ControlMethod.allCases where method != .deviceWhy {
            let request = try ControlRequest(
                method: method.name, Self.value(method.example.parameters))
            #expect(request.method == method, "\(method.name)")
        }
        let text = Self.value(#"{"format":"openmetrics"}"#)
        #expect(try ControlRequest(method: "metrics", text).method == .metrics)
    }
}
