import ControlProtocol
import JSONText
import Reports

/// Verbs about one device of a fleet in the daemon.
extension Verb {
    static let deviceShow = Verb(
        name: "device show", usage: "FLEET DEVICE [options]",
        summary: "show how one device stands, and what has happened to it so far",
        options: .daemon([.value("--arm", "NAME", "in this arm; without it, in the base")]),
        examples: [
            "locfleet device show demo 17", "locfleet device show demo 17 --json | jq .records",
        ],
        run: { arguments, terminal throws(CommandError) in
            let (fleet, device) = try fleetAndDevice(arguments, verb: "device show")
            let result = try DaemonArguments.client(arguments).call(
                .deviceShow,
                DaemonArguments.parameters(of: fleet) {
                    $0.member("device", device)
                    if let arm = arguments.value("--arm") { $0.member("arm", arm) }
                })
            return try show(result, arguments, terminal)
        })

    static let deviceWhy = Verb(
        name: "device why", usage: "FLEET DEVICE [options]",
        summary: "tell one device's life as a story, like 'why FLEET --device DEVICE'",
        options: .daemon([.value("--arm", "NAME", "in this arm; without it, in the base")]),
        examples: ["locfleet device why demo 17"],
        run: { arguments, terminal throws(CommandError) in
            let (fleet, device) = try fleetAndDevice(arguments, verb: "device why")
            return try whyInDaemon(fleet, "\(device)", arguments, terminal)
        })

    private static func fleetAndDevice(
        _ arguments: Arguments, verb: String
    ) throws(CommandError) -> (String, UInt32) {
        guard arguments.operands.count == 2 else {
            throw CommandError(
                "a fleet and the number of a device are taken, as in 'locfleet \(verb) "
                    + "\(arguments.operands.first ?? "FLEET") 17'; see 'locfleet help \(verb)'")
        }
        guard let device = UInt32(arguments.operands[1]) else {
            throw CommandError("a device is a number from 0, not '\(arguments.operands[1])'")
        }
        return (arguments.operands[0], device)
    }
}
