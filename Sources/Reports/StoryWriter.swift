import AuthorizationCore
import DeviceCore
import JSONText
import SimPrimitives
import Simulation
import Telemetry

/// Tells the life of one device as a story: a line for each record, a paragraph for each day.
public struct StoryWriter {
    /// Who holds the device: what the records do not say.
    public struct Facts: Sendable {
        public var device: DeviceID
        public var persona: String
        public var ios: IOSVersion

        public init(device: DeviceID, persona: String, ios: IOSVersion) {
            (self.device, self.persona, self.ios) = (device, persona, ios)
        }

        /// As `scenario` draws them for the device of that number.
        public init(of number: UInt32, in scenario: Scenario) {
            let traits = DeviceTraits(of: DeviceID(number), in: scenario)
            self.init(
                device: DeviceID(number), persona: scenario.personas[traits.persona].name,
                ios: scenario.iosMix[traits.ios].value)
        }
    }

    private let scenario: Scenario
    private let facts: Facts
    private let style: TextStyle
    private let width: Int

    /// - Parameter width: columns of the terminal.
    public init(scenario: Scenario, facts: Facts, isColored: Bool = false, width: Int = 100) {
        (self.scenario, self.facts, self.width) = (scenario, facts, max(width, 40))
        style = TextStyle(isColored: isColored)
    }

    /// The whole story, ending with a newline.
    ///
    /// - Parameters:
    ///   - records: all of one device, in order.
    ///   - names: of the block that made them.
    ///   - speech: what its scripts said meanwhile.
    ///   - instant: up to where it is told, of a life that goes on.
    public func story(
        of records: [Record], names: NameTable, speech: ScriptSpeech = ScriptSpeech(),
        upTo instant: SimTime? = nil
    ) -> String {
        var text = header
        var teller = StoryTeller(
            scenario: scenario, names: names, ios: facts.ios, messages: speech.messages)
        var day: Int?
        var wasReinstalled = false
        var printed = speech.lines[...]
        func tell(_ sentence: StorySentence, at instant: SimTime, indent: Int) {
            let time = LocalTime(instant, in: scenario.zone)
            if time.day != day {
                text += "\n" + style.bold(Self.heading(of: time)) + "\n"
                day = time.day
            }
            text += line(sentence, at: time, indent: indent)
        }
        func tellPrinted(before record: UInt32, indent: Int) {
            while let next = printed.first, next.before <= record {
                tell(StorySentence("print: \(next.text)"), at: next.time, indent: indent)
                printed.removeFirst()
            }
        }
        for record in records {
            // To install again is two records at one instant, and one line.
            if wasReinstalled, case .installed = record.content {
                wasReinstalled = false
                continue
            }
            wasReinstalled = false
            if case .world(.reinstall) = record.content { wasReinstalled = true }
            let isInside = teller.isInSession
            tellPrinted(before: record.ordinal, indent: isInside ? 2 : 0)
            let sentence = teller.sentence(of: record)
            // The lines that open and close a session stand outside it.
            let indent = isInside && teller.isInSession ? 2 : 0
            tell(sentence, at: record.time, indent: indent)
        }
        tellPrinted(before: .max, indent: teller.isInSession ? 2 : 0)
        if speech.dropped > 0 {
            text += "\n\(grouped(speech.dropped)) more lines were printed: a story tells "
            text += "\(grouped(UInt64(ScriptSpeech.keptMax))).\n"
        }
        if records.isEmpty { text += "\nNothing has happened to this device.\n" }
        return text + "\n" + ending(records, teller, upTo: instant)
    }

    private var header: String {
        let facts = [
            "persona \(facts.persona)", "iOS \(facts.ios.description)", "app \(scenario.app.name)",
            "scenario \(scenario.name)", "seed \(scenario.seed)", "times in \(scenario.zone.name)",
        ]
        let lines =
            [style.bold("Device \(self.facts.device.number)")]
            + joined(facts.map(printable), width: width)
        return lines.joined(separator: "\n") + "\n"
    }

    private func ending(
        _ records: [Record], _ teller: StoryTeller, upTo instant: SimTime?
    ) -> String {
        var when = "At the end"
        if let time = instant.map({ LocalTime($0, in: scenario.zone) }) {
            when = "So far, up to day \(time.day) at \(clockText(time))"
        }
        let state = teller.isInstalled ? teller.status : "the app is deleted"
        let text =
            "\(when): \(state), after \(plural(records.count, "record")) and "
            + "\(plural(Int(teller.sessions), "session"))."
        return wrapped(text, width: width).joined(separator: "\n") + "\n"
    }

    private func plural(_ count: Int, _ thing: String) -> String {
        "\(grouped(UInt64(count))) \(thing)\(count == 1 ? "" : "s")"
    }

    private static func heading(of time: LocalTime) -> String {
        let weekday = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][time.weekday]
        return "Day \(time.day) · \(weekday) \(dateText(time))"
    }

    private func line(_ sentence: StorySentence, at time: LocalTime, indent: Int) -> String {
        let margin = 2 + 8 + 2 + indent
        let text = wrapped(sentence.text, width: width - margin)
        let pad = String(repeating: " ", count: margin)
        var lines = text.enumerated().map { index, part in
            index == 0
                ? "  " + style.dim(clockText(time)) + String(repeating: " ", count: 2 + indent)
                    + part
                : pad + part
        }
        if let why = sentence.why {
            let last = lines[lines.count - 1]
            let used = margin + (text.last?.count ?? 0)
            if used + 2 + why.count <= width {
                lines[lines.count - 1] = last + "  " + style.dim(why)
            } else {
                lines += wrapped(why, width: width - margin - 2).map { pad + "  " + style.dim($0) }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// What happened, and by which rule.
struct StorySentence {
    var text: String
    var why: String?

    init(_ text: String, why: String? = nil) { (self.text, self.why) = (printable(text), why) }
    init(_ text: String, by rule: RuleID) {
        let phrase = rule.phrase.map { ": \($0)" } ?? ""
        self.init(text, why: "[\(rule.rawValue)\(phrase)]")
    }
}
