import ControlProtocol

/// A manual page in the macros of man(7), written part by part.
struct ManualPage {
    private(set) var text: String
    /// What stands before the next paragraph: nothing after a title.
    private var breaks = ""

    /// - Parameter number: the section: 1 for commands, 8 for daemons.
    init(_ name: String, _ number: Int, about: String) {
        text =
            ".\\\" Made by 'locfleet help --generate'; not for editing.\n"
            + ".TH \(name.uppercased()) \(number) \"\" \"Locfleet \(CommandLineTool.version)\"\n"
            + ".SH NAME\n\(Self.escaped(name)) \\- \(Self.escaped(about))\n"
    }

    mutating func section(_ title: String) {
        text += ".SH \(title)\n"
        breaks = ""
    }

    mutating func part(_ title: String) {
        text += ".SS \(Self.escaped(title))\n"
        breaks = ""
    }

    mutating func paragraph(_ words: String) { add(Self.line(words)) }

    private mutating func add(_ lines: String) {
        text += breaks + lines
        breaks = ".PP\n"
    }

    /// What is typed, in bold, with what stands for values as it is.
    mutating func synopsis(_ words: String) {
        add(".B \(Self.escaped(words))\n")
    }

    /// A word and what it means.
    mutating func entry(_ head: String, _ about: String) {
        text += ".TP\n.B \(Self.escaped(head))\n" + Self.line(about)
        breaks = ".PP\n"
    }

    /// Lines as they are typed or printed.
    mutating func example(_ lines: [String]) {
        add(".nf\n.RS 4\n" + lines.map(Self.line).joined() + ".RE\n.fi\n")
    }

    mutating func options(_ options: [OptionSpec]) {
        for option in options {
            let head = option.value.map { "\(option.name) \($0)" } ?? option.name
            entry(head, option.about)
        }
    }

    /// A line of text; none begins with a sign that troff takes for its own.
    private static func line(_ text: String) -> String {
        let text = escaped(text)
        return (text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : "") + text + "\n"
    }

    private static let signs: [Character: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti",
        "\"": "\\(dq", "…": "...", "–": "\\(en",
    ]

    private static func escaped(_ text: String) -> String {
        text.map { signs[$0] ?? String($0) }.joined()
    }
}
