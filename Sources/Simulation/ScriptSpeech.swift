import SimPrimitives

/// What the scripts of one device said while it was played: what they printed, and the messages of
/// their failures, by the device's own count of records.
public struct ScriptSpeech: Sendable {
    /// What a script printed with one call.
    public struct Line: Hashable, Sendable {
        public var time: SimTime
        /// It stands before the record of this number; `UInt32.max`: after all of them.
        public var before: UInt32
        public var text: String

        public init(_ text: String, at time: SimTime, before: UInt32 = .max) {
            (self.text, self.time, self.before) = (text, time, before)
        }
    }

    /// Lines and messages that are kept, each; those after them are counted.
    public static let keptMax = 10_000

    public private(set) var lines: [Line] = []
    /// By the number of the failure's record.
    public private(set) var messages: [UInt32: String] = [:]
    /// Lines that were not kept.
    public private(set) var dropped: UInt64 = 0
    private var placed = 0

    public init() {}

    /// Takes what a script has printed.
    public mutating func hear(_ text: String, at time: SimTime) {
        guard lines.count < Self.keptMax else {
            dropped += 1
            return
        }
        lines.append(Line(text, at: time))
    }

    /// A record is about to be made: what was heard since the last one stands before it.
    mutating func place(before record: UInt32) {
        for index in placed..<lines.count { lines[index].before = record }
        placed = lines.count
    }

    mutating func note(_ message: String, ofRecord record: UInt32) {
        if messages.count < Self.keptMax { messages[record] = message }
    }
}

/// Listens to the scripts of one device, which is played by itself. A fleet has nobody who does.
///
/// A class, because the script bridge and the runner share it. One thread at a time uses it.
public final class ScriptListener {
    public var speech = ScriptSpeech()

    public init() {}
}
