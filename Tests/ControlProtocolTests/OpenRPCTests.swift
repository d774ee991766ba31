import JSONText
import Testing

@testable import ControlProtocol

/// Held against the rules of OpenRPC 1.3.2 and of its meta schema, as far as the document goes.
@Suite("The OpenRPC document")
struct OpenRPCTests {
    let document: JSONNode

    init() throws {
        document = try JSONReader.read(Array(OpenRPC.document(version: "1.2.3").utf8), as: .json)
    }

    /// Every member is known, or begins with `x-`; those that are due are there.
    private func check(
        _ node: JSONNode, has due: [String], mayHave others: [String], _ place: String
    ) {
        guard case .object(let members) = node.value else {
            Issue.record("\(place) is an object")
            return
        }
        let names = members.map(\.name)
        for name in due { #expect(names.contains(name), "\(place) has \(name)") }
        for name in names where !name.hasPrefix("x-") {
            #expect((due + others).contains(name), "\(place) has no \(name)")
        }
    }

    private func items(_ node: JSONNode?) throws -> [JSONNode] { try #require(node?.array) }

    private func members(_ node: JSONNode?) throws -> [JSONMember] {
        guard case .object(let members)? = node?.value else { return try #require(nil) }
        return members
    }

    @Test("says what it is, and of what")
    func head() {
        check(
            document, has: ["openrpc", "info", "methods"],
            mayHave: ["servers", "components", "externalDocs"], "the document")
        #expect(document["openrpc"]?.string == "1.3.2")
        let info = document["info"]
        #expect(info?["title"]?.string == "locfleetd" && info?["version"]?.string == "1.2.3")
    }

    @Test("has every method of the table with all that the table has")
    func methods() throws {
        let nodes = try items(document["methods"])
        #expect(nodes.map { $0["name"]?.string } == ControlMethod.allCases.map(\.name))
        for (node, method) in zip(nodes, ControlMethod.allCases) {
            check(
                node, has: ["name", "params"],
                mayHave: ["summary", "paramStructure", "result", "errors", "examples"], method.name)
            #expect(node["paramStructure"]?.string == "either")
            check(try #require(node["result"]), has: ["name", "schema"], mayHave: [], "result")
            let parameters = try items(node["params"])
            #expect(parameters.map { $0["name"]?.string } == method.parameters.map(\.name))
            for parameter in parameters {
                check(
                    parameter, has: ["name", "schema"], mayHave: ["summary", "required"],
                    method.name)
            }
            // By OpenRPC optional ones come last.
            let required = parameters.map { $0["required"]?.bool == true }
            #expect(required == required.sorted { $0 && !$1 }, "\(method.name)")
            #expect(try items(node["errors"]).count == method.errors.count)
        }
    }

    @Test("has examples that name parameters of their method")
    func examples() throws {
        for node in try items(document["methods"]) {
            let names = try items(node["params"]).map { $0["name"]?.string }
            let examples = try items(node["examples"])
            #expect(!examples.isEmpty)
            for example in examples {
                check(example, has: ["name", "params"], mayHave: ["summary", "result"], "example")
                check(
                    try #require(example["result"]), has: ["name", "value"], mayHave: [], "result")
                for parameter in try items(example["params"]) {
                    check(parameter, has: ["name", "value"], mayHave: [], "parameter")
                    #expect(names.contains(parameter["name"]?.string))
                }
            }
        }
    }

    @Test("refers to nothing that it does not have, and has nothing that is not referred to")
    func references() throws {
        var found: Set<String> = []
        func collect(_ node: JSONNode) {
            switch node.value {
            case .array(let items): items.forEach(collect)
            case .object(let members):
                for member in members {
                    if member.name == "$ref", let text = member.node.string { found.insert(text) }
                    collect(member.node)
                }
            case .null, .bool, .number, .string: break
            }
        }
        collect(document)
        let parts = try ["schemas", "errors"].flatMap { part in
            try members(document["components"]?[part]).map { "#/components/\(part)/\($0.name)" }
        }
        #expect(found.isSubset(of: parts))
        // Of the line and the connection, before any method is known.
        let loose: Set = [
            "parse_error", "invalid_request", "unknown_method", "line_too_long", "not_permitted",
        ]
        #expect(
            Set(parts).subtracting(found) == Set(loose.map { "#/components/errors/\($0)" }))
    }

    @Test("has each error with its number and its word")
    func errors() throws {
        for member in try members(document["components"]?["errors"]) {
            check(member.node, has: ["code", "message"], mayHave: ["data"], member.name)
            let code = try #require(ControlError.Code(rawValue: member.name))
            #expect(member.node["code"]?.number == "\(code.number)")
            #expect(member.node["data"]?["code"]?.string == member.name)
        }
    }

    /// Keywords of draft 7 that schemas here use, and the kind of value each takes.
    private static let keywords: [String: @Sendable (JSONNode) -> Bool] = [
        "type": { node in
            let words = node.array?.compactMap(\.string) ?? [node.string].compactMap(\.self)
            let known = ["array", "boolean", "integer", "null", "number", "object", "string"]
            return !words.isEmpty && words.allSatisfy(known.contains)
        },
        "description": { $0.string != nil }, "pattern": { $0.string != nil },
        "contentEncoding": { $0.string == "base64" }, "x-unit": { $0.string != nil },
        "enum": { !($0.array ?? []).isEmpty }, "required": { !($0.array ?? []).isEmpty },
        "minimum": { $0.number != nil }, "maximum": { $0.number != nil },
        "exclusiveMinimum": { $0.number != nil },
        "minLength": { $0.number != nil }, "maxLength": { $0.number != nil },
        "minItems": { $0.number != nil }, "maxItems": { $0.number != nil },
        "uniqueItems": { $0.bool != nil }, "default": { _ in true }, "$ref": { $0.string != nil },
    ]

    private func checkSchema(_ node: JSONNode, _ place: String) throws {
        for member in try members(node) {
            switch member.name {
            case "items": try checkSchema(member.node, place)
            case "properties":
                for property in try members(member.node) {
                    try checkSchema(property.node, place + "." + property.name)
                }
            case "anyOf": for part in try items(member.node) { try checkSchema(part, place) }
            case "additionalProperties" where member.node.bool == nil:
                try checkSchema(member.node, place)
            case "additionalProperties": break
            default:
                let isRight = try #require(Self.keywords[member.name], "\(place): \(member.name)")
                #expect(isRight(member.node), "\(place): \(member.name)")
            }
        }
    }

    @Test("has schemas that are JSON Schema")
    func schemas() throws {
        for method in try items(document["methods"]) {
            let name = method["name"]?.string ?? ""
            for parameter in try items(method["params"]) {
                try checkSchema(try #require(parameter["schema"]), name)
            }
            try checkSchema(try #require(method["result"]?["schema"]), name)
            if let schema = method["x-notification"]?["schema"] { try checkSchema(schema, name) }
        }
        for member in try members(document["components"]?["schemas"]) {
            try checkSchema(member.node, member.name)
        }
    }
}
