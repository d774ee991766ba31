import ControlProtocol
import JSONText

extension Verb {
    static let rpc = Verb(
        name: "rpc", usage: "METHOD [JSON] [options]",
        summary: "call a method of the daemon as it is, and print its result as JSON",
        options: [DaemonArguments.json, DaemonArguments.socket, DaemonArguments.timeout],
        examples: [
            "locfleet rpc fleet.list",
            "locfleet rpc fleet.rate '{\"fleet\":\"demo\",\"rate\":\"60x\"}'",
            "locfleet rpc fleet.rate '[\"demo\",\"max\"]'",
            "locfleet rpc rpc.discover | jq -r '.methods[].name'",
        ],
        run: { arguments, terminal throws(CommandError) in
            guard let method = arguments.operands.first else {
                throw CommandError("a method is missing; see 'locfleet help rpc'")
            }
            guard arguments.operands.count <= 2 else {
                throw CommandError("one text of JSON is taken, not also '\(arguments.operands[2])'")
            }
            if let word = ControlMethod(name: method)?.verbOfSubscription {
                throw CommandError(
                    "\(method) tells its connection, which ends with this command: "
                        + "'locfleet \(word)' stays")
            }
            let parameters = try parameters(arguments.operands.dropFirst().first ?? "{}")
            let client = try DaemonArguments.client(arguments)
            try terminal.print(try client.call(named: method, parameters).text + "\n")
            return .done
        })

    /// On one line.
    private static func parameters(_ text: String) throws(CommandError) -> String {
        do throws(JSONError) {
            return try JSONReader.read(Array(text.utf8), as: .json).text
        } catch { throw CommandError("the parameters: \(error.position): \(error.message)") }
    }
}

extension ControlMethod {
    /// The verb that stays for what a subscription tells; nil of other methods.
    fileprivate var verbOfSubscription: String? {
        guard notification != nil else { return nil }
        return self.name == ControlMethod.watch.name ? "watch FLEET" : "funnel FLEET --watch"
    }
}
