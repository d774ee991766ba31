import JSONText
import Reports

/// One option of a verb.
struct OptionSpec: Sendable {
    var name: String
    /// What stands for the value in help; nil: the option takes none.
    var value: String?
    var about: String
    var isRepeatable = false

    static func flag(_ name: String, _ about: String) -> OptionSpec {
        OptionSpec(name: name, value: nil, about: about)
    }

    static func value(_ name: String, _ value: String, _ about: String) -> OptionSpec {
        OptionSpec(name: name, value: value, about: about)
    }

    static func list(_ name: String, _ value: String, _ about: String) -> OptionSpec {
        OptionSpec(name: name, value: value, about: about, isRepeatable: true)
    }
}

/// The words after a verb, sorted into operands and options.
struct Arguments {
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Takes `--name value`, `--name=value` and, after `--`, operands only.
    init(_ words: [String], options: [OptionSpec], verb: String) throws(CommandError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard let option = options.first(where: { $0.name == name }) else {
                throw Self.unknown(name, options, verb)
            }
            try take(option, attached: parts.count == 2 ? String(parts[1]) : nil, &rest, verb)
        }
    }

    private mutating func take(
        _ option: OptionSpec, attached: String?, _ rest: inout ArraySlice<String>, _ verb: String
    ) throws(CommandError) {
        let name = option.name
        if !option.isRepeatable, values[name] != nil {
            throw CommandError("\(name) stands here twice")
        }
        guard let placeholder = option.value else {
            guard attached == nil else { throw CommandError("\(name) takes no value") }
            values[name] = [""]
            return
        }
        guard let value = attached ?? rest.popFirst() else {
            throw CommandError("\(name) takes a value: \(name) \(placeholder)")
        }
        values[name, default: []].append(value)
    }

    private static func unknown(
        _ name: String, _ options: [OptionSpec], _ verb: String
    ) -> CommandError {
        let known = options.map(\.name)
        if let near = nearest(to: name, among: known) {
            return CommandError("unknown option \(name); did you mean \(near)?")
        }
        if name == "--device", verb.hasPrefix("device ") {
            return CommandError(
                "unknown option --device; the number stands alone: 'locfleet \(verb) FLEET 17'")
        }
        let isProgram = [DaemonTool.name, BenchTool.name].contains(verb)
        let help = isProgram ? "'\(verb) --help'" : "'locfleet help \(verb)'"
        return CommandError("unknown option \(name); \(help) lists them")
    }

    func has(_ name: String) -> Bool { values[name] != nil }
    func value(_ name: String) -> String? { values[name]?.last }
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The one operand that a verb takes.
    func onlyOperand(_ what: String, verb: String) throws(CommandError) -> String {
        guard let operand = operands.first else {
            throw CommandError("\(what) is missing; see 'locfleet help \(verb)'")
        }
        guard operands.count == 1 else {
            throw CommandError("one \(what) is taken, not also '\(operands[1])'")
        }
        return operand
    }

    /// A number in `range`, in digits with or without a decimal point; nil where the option is
    /// absent.
    ///
    /// - Parameter what: of what it is a number, such as " of seconds".
    func decimal(
        _ name: String, in range: ClosedRange<Double>, _ what: String = ""
    ) throws(CommandError) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(plain: text), range.contains(number) else {
            throw CommandError(
                "\(name) is a number\(what) in \(plainText(range.lowerBound)) ... "
                    + "\(plainText(range.upperBound)), not '\(text)'")
        }
        return number
    }

    /// A whole number in `range`, or nil where the option is absent.
    func number<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(CommandError) -> Number? {
        guard let text = value(name) else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw CommandError(
                "\(name) is a whole number in \(range.lowerBound) ... \(range.upperBound), "
                    + "not '\(text)'")
        }
        return number
    }
}

extension Double {
    /// Reads "12", "0.5" or ".5", as people write them: `Double` alone takes "nan", "0x10" and
    /// "1e3" too.
    init?(plain text: String) {
        let isPlain = text.utf8.allSatisfy { 48...57 ~= $0 || $0 == UInt8(ascii: ".") }
        guard isPlain, text.utf8.count <= 64, let number = Double(text) else { return nil }
        self = number
    }
}
