import JSONText

/// The table of methods as an OpenRPC document: what `rpc.discover` gives.
///
/// Source: OpenRPC Specification 1.3.2, spec.open-rpc.org.
public enum OpenRPC {
    public static let version = "1.3.2"

    /// - Parameter version: of the daemon.
    public static func document(version: String) -> String {
        var writer = JSONWriter(.compact)
        writer.object { writer in
            writer.member("openrpc", Self.version)
            writer.key("info")
            writer.object { writer in
                writer.member("title", "locfleetd")
                writer.member(
                    "description",
                    "JSON-RPC 2.0 on a Unix socket, one message a line. \"jsonrpc\" may be left "
                        + "out. Units of numbers are in x-unit, stable words for errors in "
                        + "data.code, and what a subscription is told in x-notification.")
                writer.member("version", version)
            }
            writer.key("methods")
            writer.array { writer in
                for method in ControlMethod.allCases { write(method, to: &writer) }
            }
            writer.key("components")
            writer.object { writer in
                writer.key("schemas")
                writer.object(schemas)
                writer.key("errors")
                writer.object { writer in
                    for code in ControlError.Code.allCases {
                        writer.key(code.rawValue)
                        write(code, to: &writer)
                    }
                }
            }
        }
        return writer.text
    }

    private static func write(_ method: ControlMethod, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", method.name)
            writer.member("summary", method.summary)
            writer.member("paramStructure", "either")
            writer.key("params")
            writer.array { writer in
                for entry in method.parameters { descriptor(entry, to: &writer) }
            }
            writer.key("result")
            writer.object { writer in
                writer.member("name", "result")
                writer.key("schema")
                writer.json(method.result.schema)
            }
            writer.key("errors")
            writer.array { writer in
                for code in method.errors {
                    writer.json(##"{"$ref":"#/components/errors/\##(code.rawValue)"}"##)
                }
            }
            writer.key("examples")
            writer.array { writer in example(of: method, to: &writer) }
            if let verb = method.verb { writer.member("x-verb", "locfleet \(verb)") }
            if let notification = method.notification {
                writer.key("x-notification")
                writer.object { writer in
                    writer.member("name", notification.name)
                    writer.key("schema")
                    writer.json(notification.form.schema)
                }
            }
        }
    }

    private static func descriptor(_ entry: ValueEntry, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", entry.name)
            writer.member("summary", entry.about)
            writer.member("required", entry.isRequired)
            writer.key("schema")
            writer.json(entry.schema)
        }
    }

    private static func example(of method: ControlMethod, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", method.name)
            writer.member("summary", method.summary)
            writer.key("params")
            writer.array { writer in
                for member in members(of: method.example.parameters) {
                    writer.object { writer in
                        writer.member("name", member.name)
                        writer.key("value")
                        writer.json(member.node.text)
                    }
                }
            }
            writer.key("result")
            writer.object { writer in
                writer.member("name", "result")
                writer.key("value")
                writer.json(method.example.result)
            }
        }
    }

    private static func members(of text: String) -> [JSONMember] {
        guard let node = try? JSONReader.read(Array(text.utf8), as: .json),
            case .object(let members) = node.value
        else { preconditionFailure("an example's parameters are an object") }
        return members
    }

    private static func write(_ code: ControlError.Code, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("code", code.number)
            writer.member("message", code.about)
            writer.key("data")
            writer.object { writer in writer.member("code", code.rawValue) }
        }
    }

    private static func schemas(_ writer: inout JSONWriter) {
        var known: Set<String> = []
        for method in ControlMethod.allCases {
            let forms = [method.result] + method.parameters.map(\.form)
            let all = forms + [method.notification?.form].compactMap(\.self)
            for (name, form) in all.flatMap(\.namedForms) where known.insert(name).inserted {
                writer.key(name)
                writer.json(form.schema)
            }
        }
    }
}
