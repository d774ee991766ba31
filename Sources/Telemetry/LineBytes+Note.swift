import AuthorizationCore
import DeviceCore
import Simulation

extension LineBytes {
    /// The keys that follow the content's own, where the note has them.
    mutating func put(_ note: RecordNote) {
        if let accuracy = note.accuracy { put(",\"accuracy\":", word: accuracy.rawValue) }
        switch note.held {
        case .waiting(let event, let since)?:
            put(",\"held\":", word: event.word)
            put(",\"held_us\":")
            put(number: UInt64(since.microseconds))
        case .delivered?: put(",\"held\":\"delivered\"")
        case .dropped?: put(",\"held\":\"dropped\"")
        case nil: break
        }
        if let reason = note.ignored { put(",\"ignored\":", word: reason.rawValue) }
        if let rule = note.rule { put(",\"rule\":", word: rule.rawValue) }
    }
}

extension LocationEvent {
    /// The words of records.
    fileprivate var word: String {
        switch self {
        case .significantChange: "significant_change"
        case .visit: "visit"
        case .region: "region"
        case .condition: "condition"
        case .heading: "heading"
        case .beacons: "beacons"
        }
    }
}
