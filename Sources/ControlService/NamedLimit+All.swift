import Bundles
import ControlProtocol
import DaemonRuntime
import DeviceCore
import JSONText
import LuaScripting
import Simulation

extension NamedLimit {
    /// Every limit, by part.
    ///
    /// - Parameter limits: of the server.
    public static func all(_ limits: ControlLimits = ControlLimits()) -> [NamedLimit] {
        ofProtocol(limits) + ofDaemon(limits) + ofScenarios + ofScripts + ofEngine
    }

    private static let refused = "refused"
    private static let invalid = "the scenario is refused"
    private static let failure = "the call is a script failure"

    private static func ofProtocol(_ limits: ControlLimits) -> [NamedLimit] {
        [
            NamedLimit(
                .protocol, .lineBytes, limits.lineBytes, "bytes",
                then: "refused, and the connection is closed"),
            NamedLimit(
                .protocol, .batchCalls, ControlMessage.batchCallsMax, "calls", then: refused),
            NamedLimit(.protocol, "json_depth", JSONReader.depthMax, "brackets", then: refused),
            NamedLimit(
                .protocol, "fleet_name_bytes", ControlRequest.nameBytesMax, "bytes", then: refused),
            NamedLimit(
                .protocol, "text_bytes", ControlRequest.textBytesMax, "bytes", then: refused),
            NamedLimit(.protocol, "hashes", ControlRequest.hashCountMax, "hashes", then: refused),
            NamedLimit(
                .protocol, "record_types", ControlRequest.typeCountMax, "types", then: refused),
            NamedLimit(
                .protocol, "listed_devices", ControlRequest.deviceLimits.upperBound, "devices",
                then: refused),
            NamedLimit(
                .protocol, "text_columns", ControlRequest.widths.upperBound, "columns",
                then: refused),
            NamedLimit(
                .protocol, "rate", Int(FleetRate.ratios.upperBound), "times wall time",
                then: refused),
            NamedLimit(
                .protocol, "reply_line_bytes", ControlReply.lineBytesMax, "bytes",
                then: "the client gives up"),
        ]
    }

    private static func ofDaemon(_ limits: ControlLimits) -> [NamedLimit] {
        [
            NamedLimit(
                .daemon, .connections, limits.connections, "connections",
                then: "the newcomer is told and closed"),
            NamedLimit(
                .daemon, .queuedReplyBytes, limits.queuedReplyBytes, "bytes",
                then: "the client's next requests wait; in a batch, the calls left are refused"),
            NamedLimit(
                .daemon, .queuedNotificationBytes, limits.queuedNotificationBytes, "bytes",
                then: "lost, and counted in lost; the last of a subscription never is"),
            NamedLimit(
                .daemon, .stalledSeconds, Int(limits.stalledSeconds), "seconds",
                then: "a client that reads nothing is cut off"),
            NamedLimit(
                .daemon, .connectionSubscriptions, Subscriptions.perConnectionMax, "subscriptions",
                then: refused),
            NamedLimit(
                .daemon, .subscriptions, Subscriptions.countMax, "subscriptions", then: refused),
            NamedLimit(.daemon, .fleetWatchers, Fleet.watchersMax, "watchers", then: refused),
            NamedLimit(
                .daemon, .watchedTime, WatchBudget.sharePercent, "% of a flat-out fleet's time",
                then: "beyond \(WatchBudget.freeRecords) records, what watchers miss is counted in "
                    + "lost; a paced fleet that keeps up tells all"),
            NamedLimit(.daemon, .fleets, FleetService.fleetsMax, "fleets", then: refused),
            NamedLimit(
                .daemon, .fleetInterventions, Fleet.journalMax, "interventions", then: refused),
            NamedLimit(
                .daemon, .fleetScripts, FleetRunner.scriptsBroughtMax, "scripts", then: refused),
            NamedLimit(
                .daemon, .jobs, Jobs.countMax, "jobs",
                then: "the oldest that has ended goes; while all run, refused"),
            NamedLimit(.daemon, .fileBytes, BlobStore.blobBytesMax, "bytes", then: refused),
            NamedLimit(
                .daemon, "kept_file_bytes", BlobStore.storeBytesMax, "bytes",
                then: "the files that have waited longest go"),
            NamedLimit(.daemon, .connectionUploads, BlobStore.uploadsMax, "files", then: refused),
            NamedLimit(
                .daemon, .pendingFileBytes, BlobStore.pendingBytesMax, "bytes",
                then: "the uploads that have waited longest for a piece go"),
            NamedLimit(
                .daemon, "socket_path_bytes", ControlSocketPath.bytesMax, "bytes",
                then: "the daemon does not start"),
        ]
    }

    private static func scenario(
        _ name: String, _ value: some BinaryInteger, _ unit: String
    ) -> NamedLimit { NamedLimit(.scenario, name, value, unit, then: invalid) }

    private static var ofScenarios: [NamedLimit] {
        [
            scenario("scenario_bytes", ScenarioLimits.scenarioBytesMax, "bytes"),
            scenario("script_bytes", ScenarioLimits.scriptBytesMax, "bytes"),
            scenario("plist_bytes", ScenarioLimits.plistBytesMax, "bytes"),
            scenario("devices", ScenarioLimits.devices.upperBound, "devices"),
            scenario("duration", ScenarioLimits.durationMax.microseconds / 86_400_000_000, "days"),
            scenario("personas", ScenarioLimits.personasMax, "personas"),
            scenario("ios_versions", ScenarioLimits.iosMax, "versions"),
            scenario("features", ScenarioLimits.featuresMax, "features"),
            scenario("funnels", ScenarioLimits.funnelsMax, "funnels"),
            scenario("funnel_steps", ScenarioLimits.funnelStepsMax, "steps"),
            scenario("arms", ScenarioLimits.armsMax, "arms"),
            scenario("interventions", ScenarioLimits.interventionsMax, "interventions"),
            scenario("updates", ScenarioLimits.updatesMax, "Info.plists"),
            scenario("intervention_scripts", ScenarioLimits.scriptsBroughtMax, "scripts"),
            scenario("hazards", ScenarioLimits.hazardsMax, "hazards"),
            scenario("movement_regions", ScenarioLimits.checkedRegionsMax, "regions"),
            scenario("thresholds", ScenarioLimits.thresholdsMax, "thresholds"),
            scenario("purpose_keys", ScenarioLimits.purposeKeysMax, "keys"),
            scenario("name_bytes", ScenarioLimits.nameBytesMax, "bytes"),
            scenario("condition_bytes", ScenarioLimits.textBytesMax, "bytes"),
            scenario("sets", ScenarioLimits.setsMax, "values of --set"),
        ]
    }

    private static var ofScripts: [NamedLimit] {
        let limits = ScriptLimits()
        return [
            NamedLimit(
                .scripts, "call_instructions", limits.instructionsMax, "instructions",
                then: failure, counter: .failures(.budgetExhausted)),
            NamedLimit(
                .scripts, "string_bytes", limits.stringBytesMax, "bytes", then: failure,
                counter: .failures(.stringTooLong)),
            NamedLimit(
                .scripts, "block_memory_bytes", limits.stateBytesMax, "bytes",
                then: "the run ends with script_memory_exhausted"),
            NamedLimit(.scripts, "table_keys", ScriptLimits.tableKeysMax, "keys", then: failure),
            NamedLimit(
                .scripts, "list_values", ScriptLimits.listValuesMax, "values", then: failure),
            NamedLimit(.scripts, "call_acts", ScriptLimits.actsMax, "acts", then: failure),
            NamedLimit(.scripts, "timers", AppTimer.countMax, "timers", then: failure),
            NamedLimit(.scripts, "managers", EngineLimits.managers, "managers", then: failure),
            NamedLimit(
                .scripts, "counter_step", ScriptMetric.countMax, "a call", then: failure),
            NamedLimit(
                .scripts, "names", NameTable.countMax, "names",
                then: "the run ends with too_many_names"),
        ]
    }

    private static var ofEngine: [NamedLimit] {
        [
            NamedLimit(
                .engine, "hooks_per_instant", EngineLimits.hooksPerInstant, "hooks",
                then: "the app is stopped: a script failure"),
            NamedLimit(
                .engine, "prompts_per_instant", EngineLimits.promptsPerInstant, "prompts",
                then: "people press what changes least: a script failure"),
            NamedLimit(
                .engine, "monitored_regions", Phone.regionCountMax, "regions",
                then: "the app is told that monitoring failed"),
            NamedLimit(
                .engine, "monitored_conditions", Phone.conditionCountMax, "conditions",
                then: "the condition is unmonitored, and the app told so (M4)"),
            NamedLimit(
                .engine, .casts, CastTable.countMax, "combinations",
                then: "an intervention that could make more is refused"),
            NamedLimit(
                .engine, "block_devices", Block.deviceCountMax, "devices",
                then: "the next devices are another block"),
        ]
    }
}

extension FleetService {
    /// What `limits` gives.
    var limits: String {
        let rows = NamedLimit.all(serverLimits).map { limit in
            JSONLine.object {
                $0.member("limit", limit.name)
                $0.member("part", limit.part.rawValue)
                $0.member("value", limit.value)
                $0.member("unit", limit.unit)
                $0.member("then", limit.then)
                if let count = reached(limit.counter) {
                    $0.member("reached", count)
                } else {
                    $0.member("reached", nil as String?)
                }
            }
        }
        return "{\"limits\":[" + rows.joined(separator: ",") + "]}"
    }

    private func reached(_ counter: NamedLimit.Counter) -> UInt64? {
        switch counter {
        case .none: nil
        case .limit(.pendingFileBytes): blobs.dropped
        case .limit(let name): serverCounters.reached[name] ?? 0
        case .failures(let code): scriptFailures(code)
        }
    }
}
