import JSONText

/// What a person reads of it, and what a program does.
extension ConformanceSummary {
    /// A block for each failure, a line for each note, a table of families, and a line with the
    /// sum.
    public var text: String {
        var text = failures.map { printable($0.lines) + "\n" }.joined(separator: "\n")
        if !failures.isEmpty { text += "\n" }
        for note in notes { text += printable([note.line]) + "\n" }
        if !notes.isEmpty { text += "\n" }
        let names = families.keys.sorted()
        let width = max(6, names.map { printable($0).count }.max() ?? 0)
        text += Self.row("family", "passed", "failed", width)
        for name in names {
            let count = families[name] ?? Count()
            text += Self.row(printable(name), "\(count.passed)", "\(count.failed)", width)
        }
        return text
            + "\n\(cases) cases, \(total.passed + total.failed) case-versions: "
            + "\(total.passed) passed, \(total.failed) failed\n"
    }

    /// A control character in a case must not reach the terminal.
    private func printable(_ lines: [String]) -> String {
        lines.map { JSONText.printable($0) }.joined(separator: "\n")
    }

    private func printable(_ text: String) -> String { JSONText.printable(text) }

    private static func row(_ name: String, _ passed: String, _ failed: String, _ width: Int)
        -> String
    {
        func right(_ text: String) -> String {
            String(repeating: " ", count: max(0, 8 - text.count)) + text
        }
        return name + String(repeating: " ", count: width - name.count) + right(passed)
            + right(failed) + "\n"
    }

    /// One JSON object.
    public var json: String {
        var text = "{\n  \"cases\": \(cases), \"case_versions\": \(total.passed + total.failed), "
        text += "\"passed\": \(total.passed), \"failed\": \(total.failed),\n  \"families\": {"
        text += families.keys.sorted().map { name in
            let count = families[name] ?? Count()
            return "\n    \(quoted(name)): "
                + "{ \"passed\": \(count.passed), \"failed\": \(count.failed) }"
        }.joined(separator: ",")
        text += "\n  },\n  \"failures\": \(Self.list(failures.flatMap(\.json))),\n"
        return text + "  \"notes\": \(Self.list(notes.map(\.json)))\n}\n"
    }

    private static func list(_ items: [String]) -> String {
        items.isEmpty ? "[]" : "[\n    " + items.joined(separator: ",\n    ") + "\n  ]"
    }
}

extension ConformanceCase {
    fileprivate var place: String { "\(file):\(line)" }

    /// A step as the file has it; empty for the case as a whole.
    fileprivate func text(ofStep step: Int) -> String {
        step > 0 && step <= stepTexts.count ? stepTexts[step - 1] : ""
    }

    fileprivate func name(ofStep step: Int) -> String {
        step == 0 ? "the case as a whole" : "step \(step): \(text(ofStep: step))"
    }
}

extension ConformanceSummary.FailedCase {
    fileprivate var lines: [String] {
        let title = test.title == test.id ? "" : ": \(test.title)"
        var lines = [
            "FAILED \(test.place): \(test.id)\(title)",
            "  on iOS \(versions.joined(separator: ", ")), \(test.name(ofStep: failure.step))",
        ]
        for difference in failure.differences {
            lines.append("    expected \(difference.wanted)")
            lines.append("    seen     \(difference.seen)")
        }
        let story = failure.story
        if story.step > 0 {
            let events = story.lines.isEmpty ? "" : " → \(story.lines.joined(separator: ", "))"
            lines.append("  before it, \(test.name(ofStep: story.step))\(events)")
        }
        lines.append("  now: \(failure.state)")
        if later > 0 {
            lines.append("  \(later) \(later == 1 ? "step" : "steps") after it failed too")
        }
        return lines
    }

    /// An object for each version.
    fileprivate var json: [String] {
        versions.map { version in
            var writer = JSONWriter()
            writer.object { writer in
                writer.write("case", test.id)
                writer.write("title", test.title)
                writer.write("file", test.file)
                writer.write("line", test.line)
                writer.write("ios", version)
                writer.write("step", failure.step)
                writer.write("text", test.text(ofStep: failure.step))
                writer.write("expected", failure.differences.first?.wanted ?? "")
                writer.write("seen", failure.differences.first?.seen ?? "")
                writer.key("differences")
                writer.array { writer in
                    for difference in failure.differences {
                        writer.object { writer in
                            if let key = difference.key { writer.write("key", key) }
                            writer.write("expected", difference.expected)
                            writer.write("seen", difference.seen)
                        }
                    }
                }
                writer.key("before")
                writer.object { writer in
                    writer.write("step", failure.story.step)
                    writer.write("text", test.text(ofStep: failure.story.step))
                    writer.key("followed")
                    writer.array { writer in
                        for line in failure.story.lines { writer.string(line) }
                    }
                }
                writer.write("state", failure.state)
                writer.write("later_failures", later)
            }
            return writer.text
        }
    }
}

extension ConformanceSummary.CaseNote {
    fileprivate var line: String {
        "note \(test.place): \(test.id) on iOS \(versions.joined(separator: ", ")), "
            + "\(test.name(ofStep: note.step)): \(note.text)"
    }

    fileprivate var json: String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.write("case", test.id)
            writer.write("file", test.file)
            writer.write("line", test.line)
            writer.key("ios")
            writer.array { writer in for version in versions { writer.string(version) } }
            writer.write("step", note.step)
            writer.write("text", test.text(ofStep: note.step))
            writer.write("note", note.text)
        }
        return writer.text
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    fileprivate mutating func write(_ name: String, _ value: Int) {
        key(name)
        integer(value)
    }
}
