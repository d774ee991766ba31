import Conformance
import Foundation
import TestSupport
import Testing

@Suite("The open questions")
struct OpenQuestionTests {
    static func questions() throws -> [OpenQuestion] {
        let file = projectRoot.appending(path: "config/rules/questions.jsonl")
        return try OpenQuestion.read(Array(Data(contentsOf: file)), name: "questions.jsonl")
    }

    /// The rows of the settings in config/README.md: key, default, range, and what it is.
    private func rows() throws -> [String: [String]] {
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/README.md"), encoding: .utf8)
        var rows: [String: [String]] = [:]
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).filter { $0 != "`" }
            }
            if cells.count == 5 { rows[cells[0]] = Array(cells[2...]) }
        }
        return rows
    }

    @Test("are numbered without a gap, and are sentences")
    func numbers() throws {
        let questions = try Self.questions()
        #expect(questions.map(\.id) == (1...35).map { "D\($0)" })
        for question in questions {
            #expect(question.question.hasSuffix("?"), "\(question.id)")
            #expect(question.known.hasSuffix("."), "\(question.id)")
            #expect(question.standard.hasSuffix("."), "\(question.id)")
            #expect(!question.rules.isEmpty, "\(question.id)")
        }
    }

    @Test("name rules that there are, and settings that config/README.md has under their number")
    func names() throws {
        let known = Set(try RuleCatalogueTests.catalogue().rules.map(\.id))
        let rows = try rows()
        for question in try Self.questions() {
            for rule in question.rules { #expect(known.contains(rule), "\(question.id): \(rule)") }
            for setting in question.settings {
                let row = try #require(rows[setting], "\(question.id): \(setting)")
                let isDue = question.id == "D31" || row[2].contains(question.id)
                #expect(isDue, "\(setting): \(row[2])")
            }
        }
    }

    @Test("have every D-number that the settings, the code and the cases name")
    func complete() throws {
        let known = Set(try Self.questions().map(\.id))
        let paths = [
            "config/README.md", "config/conformance/README.md", "config/conformance/cases.jsonl",
            "config/rules/rules.jsonl", "Sources/AuthorizationCore/SystemRules.swift",
            "Sources/Lint/Checks+Texts.swift", "Sources/Lint/Checks+Strategy.swift",
        ]
        for path in paths {
            let text = try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
            for match in text.matches(of: /\bD\d+\b/) {
                #expect(known.contains(String(match.0)), "\(path): \(match.0)")
            }
        }
    }

    @Test("are explained in the clone: nothing sends a reader to a file that it does not have")
    func paths() throws {
        for path in ["config/README.md", "config/conformance/README.md", "README.md"] {
            let text = try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
            #expect(!text.contains("corelocation.md"), "\(path)")
        }
    }

    // swift-format-ignore
    static let malformed: [(String, String)] = [
        ("{}", "a question needs id"),
        ("[]", "a question is an object"),
        ("{", "column 2"),
        (#"{"id":"D1","question":"x?","known":"x.","default":"x.","settings":"y","rules":[]}"#, "settings is a list"),
        (#"{"id":"D1","question":"x?","known":"x.","default":"x.","settings":[],"rules":[],"no":1}"#, "no key 'no'"),
    ]

    @Test("are refused with their line and the reason", arguments: malformed)
    func refused(_ text: String, _ word: String) {
        do throws(ConformanceError) {
            _ = try OpenQuestion.read(Array("\n\(text)\n".utf8), name: "q.jsonl")
            Issue.record("\(text) is a question")
        } catch {
            #expect("\(error)".contains(word) && "\(error)".hasPrefix("q.jsonl:2"), "\(error)")
        }
    }
}
