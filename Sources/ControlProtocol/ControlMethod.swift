/// Every method the daemon knows. Help and completion list this type.
///
/// The raw value is the wire name and, with a space for the dot, the client's command: append,
/// never rename.
public enum ControlMethod: String, CaseIterable, Sendable {
    case daemonStatus = "daemon.status"
    case daemonStop = "daemon.stop"
    case blobHave = "blob.have"
    case blobPut = "blob.put"
    case fleetCreate = "fleet.create"
    case fleetList = "fleet.list"
    case fleetShow = "fleet.show"
    case fleetStart = "fleet.start"
    case fleetPause = "fleet.pause"
    case fleetResume = "fleet.resume"
    case fleetStop = "fleet.stop"
    case fleetDelete = "fleet.delete"
    case fleetRate = "fleet.rate"
    case funnel
    case metrics
    case funnelSubscribe = "funnel.subscribe"
    case watch
    case unsubscribe
    case deviceList = "device.list"
    case why
    case intervene

    public var summary: String {
        switch self {
        case .daemonStatus: "Show the daemon's version, uptime, fleets and limits"
        case .daemonStop: "Stop the daemon"
        case .blobHave: "Tell which of these files the daemon has"
        case .blobPut: "Send a piece of a file"
        case .fleetCreate: "Create a fleet from a bundle, and run it"
        case .fleetList: "List the fleets"
        case .fleetShow: "Show one fleet"
        case .fleetStart: "Start a fleet that was created paused"
        case .fleetPause: "Pause a running fleet"
        case .fleetResume: "Let a paused fleet run on"
        case .fleetStop: "Stop a fleet for good and keep its results"
        case .fleetDelete: "Forget a fleet and its results"
        case .fleetRate: "Change how fast a fleet's time runs"
        case .funnel: "Show a fleet's funnels"
        case .metrics: "Show a fleet's metrics"
        case .funnelSubscribe: "Be told a fleet's funnels again and again"
        case .watch: "Be told a fleet's records as they happen"
        case .unsubscribe: "End a subscription"
        case .deviceList: "List devices of a fleet"
        case .why: "Tell one device's life as a story"
        case .intervene: "Change something for some of a fleet's devices"
        }
    }
}
