extension ControlRequest {
    /// The method that asks for it: of two that ask for the same, the first in the table.
    public var method: ControlMethod {
        switch self {
        case .discover: .discover
        case .daemonStatus: .daemonStatus
        case .daemonReload: .daemonReload
        case .daemonStop: .daemonStop
        case .limits: .limits
        case .blobHave: .blobHave
        case .blobPut: .blobPut
        case .fleetCreate: .fleetCreate
        case .fleetList: .fleetList
        case .fleetShow: .fleetShow
        case .fleetStart: .fleetStart
        case .fleetPause: .fleetPause
        case .fleetResume: .fleetResume
        case .fleetStop: .fleetStop
        case .fleetDelete: .fleetDelete
        case .fleetRate: .fleetRate
        case .funnel: .funnel
        case .metrics: .metrics
        case .funnelSubscribe: .funnelSubscribe
        case .watch: .watch
        case .unsubscribe: .unsubscribe
        case .deviceList: .deviceList
        case .why: .why
        case .fleetStep: .fleetStep
        case .fleetUntil: .fleetUntil
        case .fleetFork: .fleetFork
        case .fleetExport: .fleetExport
        case .blobGet: .blobGet
        case .jobs: .jobs
        case .wait: .wait
        case .deviceShow: .deviceShow
        case .intervene: .intervene
        case .exposition: .metrics
        }
    }
}
