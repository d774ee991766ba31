import AuthorizationCore
import JSONText

/// For programs: TAP 14, JUnit and JSON. None holds a time of the clock: the same run is the same
/// text.
extension TestReport {
    /// The Test Anything Protocol, version 14 (testanything.org, 2022).
    public var tap: String {
        var text = "TAP version 14\n1..\(results.count)\n"
        for (index, result) in results.enumerated() {
            let mark = result.outcome.isBad ? "not ok" : "ok"
            var line = "\(mark) \(index + 1) - \(Self.tapText(title(of: result)))"
            if result.outcome == .skipped { line += " # SKIP for other versions of iOS" }
            text += line + "\n"
            if let cause = result.outcome.cause {
                text += "  ---\n  message: \(quoted(cause.message))\n"
                text += "  severity: \(result.outcome.word == "failed" ? "fail" : "error")\n"
                text += "  at: \(quoted(result.place))\n  ...\n"
            }
            if result.hasCheckedNothing { text += "# \(Self.checksNothing)\n" }
            for line in result.printed { text += "# \(Self.oneLine(line))\n" }
        }
        if !hasRun { text += "Bail out! \(summary)\n" }
        return text
    }

    private func title(of result: TestResult) -> String {
        "\(result.file): \(result.name)" + (result.ios.map { " (iOS \($0))" } ?? "")
    }

    /// A `#` would begin a directive.
    private static func tapText(_ text: String) -> String {
        var line = ""
        for character in oneLine(text) {
            if character == "#" || character == "\\" { line.append("\\") }
            line.append(character)
        }
        return line
    }

    /// Other line separators than those of ASCII would end the line for some readers.
    private static func oneLine(_ text: String) -> String {
        String(printed(text).map { $0.isNewline ? " " : $0 })
    }

    /// In quotes as JSON, which YAML reads.
    private func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
    }

    /// JUnit's XML, as CI services read it: a suite for each file.
    public var junit: String {
        let total = Self.numbers(results)
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"locfleet test\" \(total)>\n"
        var files: [String] = []
        for result in results where files.last != result.file { files.append(result.file) }
        for file in files {
            let own = results.filter { $0.file == file }
            text += "  <testsuite name=\"\(Self.escaped(file))\" \(Self.numbers(own))>\n"
            for result in own { text += testCase(result) }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func numbers(_ results: [TestResult]) -> String {
        let count = { (word: String) in results.count { $0.outcome.word == word } }
        return "tests=\"\(results.count)\" failures=\"\(count("failed"))\" "
            + "errors=\"\(count("error"))\" skipped=\"\(count("skipped"))\""
    }

    private func testCase(_ result: TestResult) -> String {
        let name = result.name + (result.ios.map { " [iOS \($0)]" } ?? "")
        var text = "    <testcase name=\"\(Self.escaped(name))\" "
        text += "classname=\"\(Self.escaped(result.file))\" file=\"\(Self.escaped(result.file))\" "
        text += "line=\"\(result.line)\""
        var inner = ""
        if let cause = result.outcome.cause {
            let tag = result.outcome.word == "failed" ? "failure" : "error"
            let whole = "\(result.place): \(cause.message)"
            inner += "      <\(tag) message=\"\(Self.escaped(cause.message))\">"
            inner += "\(Self.escaped(whole))</\(tag)>\n"
        }
        if result.outcome == .skipped { inner += "      <skipped/>\n" }
        let notes = result.hasCheckedNothing ? [Self.checksNothing] : []
        if !(notes + result.printed).isEmpty {
            let lines = (notes + result.printed).map(Self.escaped).joined(separator: "\n")
            inner += "      <system-out>\(lines)</system-out>\n"
        }
        return text + (inner.isEmpty ? "/>\n" : ">\n\(inner)    </testcase>\n")
    }

    /// As text or attribute of XML, which has no room for most control characters.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            default:
                let isAllowed = scalar.value >= 0x20 && ![0xFFFE, 0xFFFF].contains(scalar.value)
                result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    public var json: String {
        let (passed, failed, skipped) = counts
        var writer = JSONWriter(.pretty)
        writer.object { writer in
            writer.member("is_passed", isPassed)
            writer.member("passed", passed)
            writer.member("failed", failed)
            writer.member("skipped", skipped)
            writer.key("tests")
            writer.array { writer in
                for result in results { Self.write(result, to: &writer) }
            }
        }
        return writer.text + "\n"
    }

    private static func write(_ result: TestResult, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("file", result.file)
            writer.member("name", result.name)
            writer.member("line", result.line)
            if let ios = result.ios { writer.member("ios", ios.description) }
            writer.member("outcome", result.outcome.word)
            if let cause = result.outcome.cause {
                writer.member("message", cause.message)
                writer.member("at", result.place)
            }
            if result.hasCheckedNothing { writer.member("note", checksNothing) }
            guard !result.printed.isEmpty else { return }
            writer.key("printed")
            writer.array { writer in
                for line in result.printed { writer.string(line) }
            }
        }
    }
}
