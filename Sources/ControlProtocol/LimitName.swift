/// A limit of the daemon that is counted when it is reached. Raw values travel as
/// `error.data.limit` and name rows of `limits`: append, never rename.
public enum LimitName: String, CaseIterable, Sendable {
    case lineBytes = "line_bytes"
    case batchCalls = "batch_calls"
    case connections
    case descriptors
    case queuedReplyBytes = "queued_reply_bytes"
    case queuedNotificationBytes = "queued_notification_bytes"
    case stalledSeconds = "stalled_seconds"
    case connectionSubscriptions = "connection_subscriptions"
    case subscriptions
    case fleetWatchers = "fleet_watchers"
    /// Of a fleet that runs as fast as it can, for its watchers.
    case watchedTime = "watched_time_percent"
    case fileBytes = "file_bytes"
    case connectionUploads = "connection_uploads"
    case pendingFileBytes = "pending_file_bytes"
    case fleets
    case fleetInterventions = "fleet_interventions"
    case jobs
    /// Scripts that clients bring to a fleet.
    case fleetScripts = "fleet_scripts"
    /// Combinations of script and options in an arm.
    case casts = "script_options"
}
