import ControlProtocol
import JSONText

/// `locfleet funnel --watch`: a fleet's funnels again and again, until it has come to its end.
struct FunnelWatch {
    let client: ControlClient
    let fleet: String
    let everySeconds: Double
    /// How many; nil: to the end.
    let count: UInt64?
    let isJSON: Bool

    func run(_ terminal: Terminal) throws(CommandError) -> ExitStatus {
        let isDrawn = terminal.isScreen && !isJSON
        var (shown, isFirst) = (0 as UInt64, true)
        while true {
            // Made for the width that the terminal has now.
            let look = isDrawn ? Terminal() : terminal
            let subscription = try subscribe(look)
            repeat {
                let news = try client.nextNotification(of: fleet)
                guard news.parameters["subscription"]?.string == subscription else { continue }
                let text = news.parameters["text"]?.string ?? ""
                if isJSON {
                    try terminal.print(news.parameters.text + "\n")
                } else if isDrawn {
                    try terminal.print(Self.frame(text, rows: Terminal().outHeight, isFirst))
                } else {
                    try terminal.print(text + "\n")
                }
                (shown, isFirst) = (shown + 1, false)
                let state = news.parameters["state"]?.string ?? "stopped"
                if shown == count || Verb.finalStates.contains(state) { return .done }
            } while !isDrawn || Terminal().outWidth == look.outWidth
            _ = try client.call(
                .unsubscribe, JSONLine.object { $0.member("subscription", subscription) })
            isFirst = true
        }
    }

    private func subscribe(_ look: Terminal) throws(CommandError) -> String {
        let result = try client.call(
            .funnelSubscribe,
            DaemonArguments.parameters(of: fleet) {
                $0.member("every_seconds", everySeconds)
                Verb.look(&$0, isJSON, look)
            })
        return result.node["subscription"]?.string ?? ""
    }

    /// `text` over what is on the screen, line by line in one write, so that nothing flickers; as
    /// much as the screen has room for.
    static func frame(_ text: String, rows: Int, _ isFirst: Bool) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .prefix(max(rows - 1, 1))
        // Without wrapping: a line that is too wide takes one row all the same.
        return (isFirst ? "\u{1B}[?7l\u{1B}[H\u{1B}[2J" : "\u{1B}[?7l\u{1B}[H")
            + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[K\u{1B}[J\u{1B}[?7h"
    }
}
