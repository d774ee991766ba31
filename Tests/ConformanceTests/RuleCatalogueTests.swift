import AuthorizationCore
import Conformance
import Foundation
import TestSupport
import Testing

@Suite("The catalogue of rules")
struct RuleCatalogueTests {
    static func catalogue() throws -> RuleCatalogue {
        let file = projectRoot.appending(path: "config/rules/rules.jsonl")
        return try RuleCatalogue.read(Array(Data(contentsOf: file)), name: "rules.jsonl")
    }

    /// Rules that a branch of the two modules names as `.a8`, outside comments. Versions of iOS are
    /// written alike: those that `IOSVersion` has are left out.
    static func branches() throws -> Set<String> {
        let versions = ["v9", "v11", "v13", "v14"]
        let ids = Set(RuleID.allCases.map(\.rawValue))
        var found: Set<String> = []
        for module in ["AuthorizationCore", "DeviceCore"] {
            let folder = projectRoot.appending(path: "Sources/\(module)")
            let files = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            for file in files
            where file.pathExtension == "swift" && file.lastPathComponent != "RuleID.swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let end = line.firstRange(of: "//")?.lowerBound ?? line.endIndex
                    let code = line.prefix(upTo: end)
                    for match in code.matches(of: /\.([a-z]{1,2}[0-9]{1,2})\b(?!_)/)
                    where !versions.contains(String(match.1)) {
                        let id = match.1.uppercased()
                        if ids.contains(id) { found.insert(id) }
                    }
                }
            }
        }
        return found
    }

    @Test("has every id of the code")
    func complete() throws {
        let listed = try Self.catalogue().rules.map(\.id)
        let missing = RuleID.allCases.map(\.rawValue).filter { !listed.contains($0) }
        #expect(missing.isEmpty)
        // The findings of a checker of Info.plists have no RuleID: no device follows them.
        let unknown = listed.filter { RuleID(rawValue: $0) == nil && !$0.hasPrefix("LI") }
        #expect(unknown.isEmpty)
    }

    @Test("says of each rule without a branch of its own where it is held, and of no other")
    func reasons() throws {
        let branches = try Self.branches()
        #expect(branches.count > 80)
        for rule in try Self.catalogue().rules {
            let due =
                branches.contains(rule.id)
                ? "is a branch now: take its no_branch away"
                : "has no branch: give it a no_branch that says where it is held, or why not"
            #expect(branches.contains(rule.id) == (rule.noBranch == nil), "\(rule.id) \(due)")
            #expect(rule.noBranch?.isEmpty != true, "\(rule.id)")
            #expect(rule.statement.hasSuffix("."), "\(rule.id): a statement is a sentence")
        }
    }

    /// Case counts are nowhere written down, so a case that names a rule is all that it takes.
    @Test("knows the rules that the cases name")
    func cases() throws {
        let file = projectRoot.appending(path: "config/conformance/cases.jsonl")
        let cases = try ConformanceFile.read(Array(Data(contentsOf: file)), name: "cases.jsonl")
        let listed = Set(try Self.catalogue().rules.map(\.id))
        for test in cases {
            for id in test.rules { #expect(listed.contains(id), "\(test.id) names \(id)") }
        }
        #expect(Set(cases.flatMap(\.rules)).count >= 240)
    }

    @Test("names settings that the scenario has")
    func settings() throws {
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/README.md"), encoding: .utf8)
        for rule in try Self.catalogue().rules {
            guard let setting = rule.setting else { continue }
            #expect(page.contains("| `\(setting)` |"), "\(rule.id): \(setting)")
        }
    }

    @Test(
        "is refused with its line and the reason",
        arguments: [
            ("{}", "a rule needs confidence"), ("[]", "a rule is an object"),
            (#"{"id":"A1","ios":"8+","confidence":"sure","statement":"x."}"#, "confidence"),
            (#"{"id":"A1","ios":"8+","confidence":"chosen","statement":"x.","no":1}"#, "no"),
        ])
    func malformed(_ text: String, _ word: String) {
        do throws(ConformanceError) {
            _ = try RuleCatalogue.read(Array("\n\(text)\n".utf8), name: "r.jsonl")
            Issue.record("\(text) is a rule")
        } catch {
            #expect("\(error)".contains(word) && "\(error)".hasPrefix("r.jsonl:2"), "\(error)")
        }
    }
}
