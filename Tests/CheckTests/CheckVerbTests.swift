import Check
import Foundation
import TestSupport
import Testing

@Suite("locfleet check, as a user runs it")
struct CheckVerbTests {
    static func shipped(_ folder: String, _ ending: String) throws -> [String] {
        let url = projectRoot.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: url.path)
            .filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
    }

    @Test("finds no error in what ships, and warns of nothing but the experiment's own faults")
    func shippedFiles() throws {
        let files =
            try Self.shipped("scripts/behaviors", ".lua")
            + Self.shipped("scripts/strategies", ".lua")
            + Self.shipped("config/scenarios", ".json5")
        #expect(files.count > 18)
        let intended = ["only_old_callback", "back_to_back"]
        let path = { (file: String) in
            projectRoot.appending(path: file).path(percentEncoded: false)
        }
        for file in files {
            let report = fileCheck().report(path(file))
            #expect(report.callCount > 1_000, "\(file) was not run")
            for finding in report.findings where finding.severity != .note {
                let isIntended =
                    file.hasSuffix("immediate-upgrade.json5")
                    && intended.contains(finding.lint ?? "")
                #expect(isIntended, "\(file): \(finding)")
            }
        }
    }

    @Test("says of a file of tests what it is, and nothing else")
    func filesOfTests() throws {
        let files = try Self.shipped("scripts/tests", ".lua")
        #expect(files.count > 10)
        for file in files {
            let path = projectRoot.appending(path: file).path(percentEncoded: false)
            let findings = fileCheck().report(path).findings
            #expect(findings.count == 1 && findings.first?.severity == .error, "\(findings)")
            #expect(
                findings.first?.reason
                    == "this is a file of tests, and no script: 'locfleet test \(path)' runs it")
        }
    }

    @Test("exits 0, 3 with an error, and 2 where a file cannot be checked")
    func status() throws {
        let folder = try ScratchFolder()
        let good = try folder.write("return { launched = function() end }", to: "good.lua")
        let warned = try folder.write(
            "return { launched = function(s) s.t = { nil, 1 } end }", to: "warned.lua")
        let bad = try folder.write("return {", to: "bad.lua")
        for (words, status) in [
            ([good], 0), ([warned], 0), ([warned, "--strict"], 3), ([good, bad], 3),
            ([folder.path("none.lua"), good], 2), ([folder.path("places.geojson")], 2), ([], 2),
            ([good, "--ios", "19"], 2), ([good, "--as", "person"], 2),
        ] as [([String], Int32)] {
            let program = try Program.locfleet(["check"] + words)
            #expect(program.status == status, "\(words): \(program.out)\(program.error)")
        }
        let both = try Program.locfleet(["check", bad, good])
        #expect(both.out.hasPrefix("\(bad): 1 error\n"))
        #expect(both.out.contains("error syntax  \(bad):1\n    unexpected symbol near <eof>\n"))
        #expect(both.out.hasSuffix("2 files: 1 error\n"))
    }

    @Test("says what each option is, and which versions were tried")
    func page() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(
            """
            return { options = { n = { default = 1, unit = "uses", about = "how often" } },
              launched = function(_, app) if app.ios < 17 then error(app.options.n) end end }
            """, to: "x.lua")
        let program = try Program.locfleet(["check", path])
        #expect(
            program.out.contains("\n  n             1         uses\n      how often\n"),
            "\(program.out)")
        #expect(program.out.contains("on iOS 14.0, 14.8, 15.0,"))
        #expect(program.out.contains(" calls on iOS 14.0 to 16.7: 6 of 12 that were tried\n"))
    }

    @Test("prints JSON with every option and finding")
    func json() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(
            """
            return { options = { n = { default = 1, min = 0, unit = "uses", about = "so" } },
              launched = function(_, app) error("no " .. app.options.n) end }
            """, to: "x.lua")
        let program = try Program.locfleet(["check", path, "--json"])
        #expect(program.status == 3)
        let tree = try JSONSerialization.jsonObject(with: Data(program.out.utf8))
        let top = try #require(tree as? [String: Any])
        #expect(top["verdict"] as? String == "error" && top["errors"] as? Int == 1)
        let finding = try #require((top["findings"] as? [[String: Any]])?.first)
        #expect(finding["code"] as? String == "failing_hook" && finding["line"] as? Int == 2)
        #expect(finding["hook"] as? String == "launched" && finding["file"] as? String == path)
        let file = try #require((top["files"] as? [[String: Any]])?.first)
        let script = try #require((file["scripts"] as? [[String: Any]])?.first)
        let option = try #require((script["options"] as? [[String: Any]])?.first)
        #expect(option["name"] as? String == "n" && option["default"] as? Int == 1)
        #expect(option["unit"] as? String == "uses" && option["max"] is NSNull)
    }

    @Test("checks again when a file is saved, until it is interrupted")
    func watch() throws {
        let folder = try ScratchFolder()
        let path = try folder.write("return {", to: "x.lua")
        let out = try FileHandle(forWritingTo: URL(filePath: folder.write("", to: "out")))
        let process = Process()
        process.executableURL = Program.url("locfleet")
        process.arguments = ["check", path, "--watch"]
        process.standardOutput = out
        try process.run()
        defer { process.terminate() }
        let text = { (try? String(contentsOfFile: folder.path("out"), encoding: .utf8)) ?? "" }
        try waitUntil { text().contains("1 error") }
        try folder.write("return { launched = function() end }", to: "x.lua")
        try waitUntil { text().contains("────") && text().contains("nothing to mend") }
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationStatus == 130)
    }

    private func waitUntil(_ holds: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !holds() {
            try #require(ContinuousClock.now < deadline, "nothing has come in a minute")
            Thread.sleep(forTimeInterval: 0.02)
        }
    }
}

@Suite("Hostile files in the check")
struct HostileCheckTests {
    @Test("a script of 50 MB is refused unread")
    func large() throws {
        let folder = try ScratchFolder()
        let path = try folder.write(String(repeating: "-- large\n", count: 5_600_000), to: "x.lua")
        let report = fileCheck().report(path)
        #expect(report.findings.map(\.code) == [.tooLarge])
        #expect(!report.isRead)
    }

    // swift-format-ignore
    static let scripts: [(text: String, code: CheckFinding.Code)] = [
        ("return { answer_prompt = function() while true do end end }", .budgetExhausted),
        ("return { answer_prompt = function() while true do pcall(error) end end }", .budgetExhausted),
        ("return { answer_prompt = function() local s = 'x' while true do s = s .. s end end }", .failingHook),
        ("return { answer_prompt = function() local t = {} for i = 1, 1e9 do t[i] = { i } end end }", .failingHook),
        ("return { answer_prompt = function() local t = {} for i = 1, 1e9 do t[i % 9] = { i } end end }", .budgetExhausted),
        ("return { answer_prompt = function(self, prompt) self.p = prompt return self.p.choices[1] end, each_day = function(self) return self.p and self.p.kind end }", .failingHook),
        ("return { answer_prompt = function() return setmetatable({}, { __tostring = error }) end }", .failingHook),
        ("\u{1b}LuaS\0\u{19}", .syntax),
    ]

    @Test("fails alone, with a finding, in seconds", arguments: scripts.map(\.text))
    func fails(_ text: String) throws {
        let code = Self.scripts.first { $0.text == text }?.code
        let began = threadSeconds()
        #expect(try findings(text, .behavior).contains { $0.code == code })
        #expect(threadSeconds() - began < 60)
    }

    @Test("a script with thousands of bad options is told of in part, and in seconds")
    func options() throws {
        let names = (0..<2_000).map { "o\($0) = { default = 1, x = 1 }," }.joined(separator: "\n")
        let began = threadSeconds()
        let found = try findings("return { options = {\n\(names)\n} }", .strategy)
        #expect(found.count { $0.code == .badOption } == 100)
        #expect(found.count { $0.code == .unusedOption } == 51)
        let rest = found.filter { $0.reason.hasPrefix("and ") }
        #expect(rest.map(\.count).sorted() == [1_900, 1_950, 1_950])
        #expect(rest.contains { $0.reason == "and 1900 more hooks and options are wrong" })
        #expect(threadSeconds() - began < 60)
    }

    @Test("a hook that always runs past its budget is given up, which is told")
    func endless() throws {
        let found = try findings(
            "return { launched = function() while true do end end }", .strategy)
        let given = found.filter { $0.reason.contains("called launched no more after 8 calls") }
        #expect(given.count == 1 && given[0].severity == .note && given[0].line == 1)
    }

    @Test("a byte order mark is none of a file, and moves no line")
    func byteOrderMark() throws {
        #expect(try findings("\u{FEFF}return {\n launched = function() end }", .strategy).isEmpty)
        let wrong = try findings("\u{FEFF}return {\n launchd = function() end }", .strategy)
        #expect(wrong.map(\.line) == [2])
        let marked = try findings(scenario: "\u{FEFF}" + scenario())
        #expect(try marked.map(\.reason) == findings(scenario: scenario()).map(\.reason))
    }

    @Test("a link that leads back to itself is no device")
    func linkLoop() throws {
        let folder = try ScratchFolder()
        let path = folder.path("loop.lua")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "loop.lua")
        #expect(
            fileCheck().report(path).findings.map(\.reason) == [
                "this is a link that leads to no file"
            ])
    }

    @Test("text that is not UTF-8, a folder and a missing file are told as such")
    func files() throws {
        let folder = try ScratchFolder()
        let url = folder.url.appending(path: "x.lua")
        try Data([0xFF, 0xFE]).write(to: url)
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "d.lua"), withIntermediateDirectories: true)
        let codes = ["x.lua", "d.lua", "none.lua", "x.txt"].map {
            fileCheck().report(folder.path($0)).findings.map(\.code)
        }
        #expect(codes == [[.notUTF8], [.unreadableFile], [.missingFile], [.unknownEnding]])
    }
}

/// CPU seconds of this thread: others on the machine do not make it slower by that clock.
private func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
