import Foundation
import TestSupport
import Testing

/// `locfleet test` on files that a test writes.
struct ScriptTestRun {
    let folder: ScratchFolder
    let path: String

    /// - Parameters:
    ///   - tests: the lines within `tests = { … }`.
    ///   - file: the keys of the file beside.
    init(_ tests: String, file: String = "strategy = \"progressive.lua\"") throws {
        folder = try ScratchFolder()
        path = try folder.write("return { \(file),\ntests = {\n\(tests)\n} }\n", to: "t.lua")
    }

    func run(_ options: String...) throws -> Program {
        try Program.locfleet(["test", path] + options)
    }

    /// One test with this body, which has a device and a person.
    static func body(
        _ body: String, file: String = "strategy = \"progressive.lua\"", _ options: String...
    ) throws -> Program {
        let test = try ScriptTestRun(
            "[\"test\"] = function(device, person) \(body) end", file: file)
        return try Program.locfleet(["test", test.path] + options)
    }
}

@Suite("locfleet test")
struct TestVerbTests {
    static func shipped() throws -> [String] {
        let folder = projectRoot.appending(path: "scripts/tests").path(percentEncoded: false)
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test("passes the tests of the scripts that ship", arguments: try shipped())
    func shippedTests(_ file: String) throws {
        let program = try Program.locfleet(["test", "scripts/tests/\(file)", "--story"])
        #expect(program.status == 0 && program.error.isEmpty, "\(program.out)\(program.error)")
        #expect(program.out.split(separator: "\n").count { $0.contains("✓") } >= 3)
    }

    @Test("has a file of tests for each script that ships")
    func coverage() throws {
        let tests = try Self.shipped()
        for folder in ["scripts/strategies", "scripts/behaviors"] {
            let path = projectRoot.appending(path: folder).path(percentEncoded: false)
            for script in try FileManager.default.contentsOfDirectory(atPath: path) {
                #expect(tests.contains(script), "\(folder)/\(script) has no tests")
            }
        }
    }

    @Test("says at which line what was expected and what was seen, and goes on")
    func failure() throws {
        let test = try ScriptTestRun(
            """
            ["fails"] = function(device)
              device:launch()
              expect(device.status):to_be("denied")
            end,
            ["passes"] = function(device) expect(device.status):to_be("notDetermined") end,
            """)
        let program = try test.run()
        #expect(program.status == 3 && program.error.isEmpty)
        #expect(
            program.out == """
                \(test.path)
                  ✗ fails  iOS 18.0
                      \(test.path):5: expected "denied", seen "notDetermined"
                  ✓ passes  iOS 18.0

                2 tests: 1 passed, 1 failed

                """)
    }

    @Test("runs each test on each version of its own, and --ios leaves others out")
    func versions() throws {
        let test = try ScriptTestRun(
            """
            ["old"] = { ios = "12", function(device) expect(device.ios):to_be_below(13) end },
            ["file's"] = function(device) expect(device.ios):to_be_above(15.9) end,
            """, file: "strategy = \"progressive.lua\", ios = { \"16.0\", \"17.5..18.0\" }")
        let all = try test.run()
        #expect(all.status == 0, "\(all.out)")
        #expect(all.out.contains("✓ old  iOS 12\n"))
        #expect(all.out.contains("✓ file's  iOS 16.0, 17.5 to 18.0\n"))
        #expect(all.out.contains("2 tests, 11 with their versions of iOS: 11 passed"))
        let some = try test.run("--ios", "18..26")
        #expect(some.out.contains("- old  (for other versions of iOS)"))
        #expect(some.out.contains("✓ file's  iOS 18.0\n") && some.status == 0)
    }

    @Test("gives each test a fresh file, device and script")
    func isolation() throws {
        let test = try ScriptTestRun(
            """
            ["one"] = function(device) seen.count = seen.count + 1 expect(seen.count):to_be(1)
              device:launch() end,
            ["two"] = function(device) seen.count = seen.count + 1 expect(seen.count):to_be(1)
              expect(device.sessions):to_be(0) end,
            """)
        let text = try String(contentsOfFile: test.path, encoding: .utf8)
        try test.folder.write("local seen = { count = 0 }\n" + text, to: "t.lua")
        let program = try test.run()
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test("drives a device through a grant, a downgrade, an upgrade of iOS and a reinstall")
    func story() throws {
        let program = try ScriptTestRun.body(
            """
            device:launch() device:tap("store_finder")
            expect(device.own_screen):to_be("why")
            device:answer_primer("continue")
            expect(device.prompt.choices[2]):to_be("allow_once")
            expect(device.prompt.purpose):to_contain("Shows the stores around you")
            device:answer("allow_while_using", { precise = false })
            expect(device.accuracy):to_be("reducedAccuracy")
            device:answer("dont_allow")
            device:precise(true)
            expect(device.accuracy):to_be("fullAccuracy")
            device:leave() device:wait("1m")
            expect(device.process):to_be("suspended")
            device:settings("never")
            expect(device.true_status):to_be("denied")
            device:upgrade_os("26.0")
            expect(device.ios):to_be(26)
            device:reinstall()
            expect(device.installed):to_be(true)
            expect(device.status):to_be("notDetermined")
            expect(device.time):to_be(70)
            expect(device.answers):to_equal {
              { kind = "when_in_use", choice = "allow_while_using", precise = false },
              { kind = "temporary_full_accuracy", choice = "dont_allow", precise = true },
            }
            expect(device.callbacks):to_contain("authorizedWhenInUse")
            expect(device.primers):to_equal { { id = "why", answer = "continue" } }
            """, file: "strategy = \"progressive.lua\", plist = \"apps/store-finder/Info.plist\"")
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test("draws the same for a seed, and another for another")
    func seeds() throws {
        let body = """
            print(share(100, function(person)
              return person:answer_prompt { kind = "when_in_use" } == "allow_while_using"
            end), rng.uniform())
            """
        let file = "behavior = \"archetype.lua\""
        let first = try ScriptTestRun.body(body, file: file, "--json").printed
        #expect(try ScriptTestRun.body(body, file: file, "--json").printed == first)
        #expect(try ScriptTestRun.body(body, file: file, "--json", "--seed", "2").printed != first)
    }

    @Test("lets a behavior live with its phone, and tells what it said")
    func behavior() throws {
        let program = try ScriptTestRun.body(
            """
            device:run("60d")
            expect(device.sessions):to_be_above(5)
            expect(device.answers[1].choice):to_be("allow_once")
            expect(function() device:answer("allow_once") end):to_fail("answers by itself")
            """,
            file: """
                behavior = "archetype.lua", strategy = "ask_on_launch.lua", options = {
                  grant_share = 0, once_share = 1, unexpected_odds = 1, retention_day1 = 1,
                  retention_decay = 0, opens_per_day = 2 }
                """)
        #expect(program.status == 0, "\(program.out)\(program.error)")
    }

    @Test("runs the examples of the page of the API")
    func examples() throws {
        let page = try String(
            contentsOf: projectRoot.appending(path: "scripts/README.md"), encoding: .utf8)
        let examples = page.split(separator: "```lua\n").dropFirst()
            .map { String($0.split(separator: "```")[0]) }
            .filter { $0.contains("tests = {") }
        #expect(examples.count == 2)
        let folder = try ScratchFolder()
        for example in examples {
            let path = try folder.write(example, to: "example.lua")
            let program = try Program.locfleet(["test", path])
            #expect(program.status == 0, "\(program.out)\(program.error)")
        }
    }

    @Test("has each verb, field and matcher of its prelude on the page of the API")
    func documented() throws {
        let read = { (path: String) in
            try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8)
        }
        let prelude = try read("Sources/LuaScripting/Prelude/tests.lua")
        let page = try read("scripts/README.md")
        let lists = ["verbs", "fields", "asks", "traits"].flatMap { name in
            prelude.split(separator: "\nlocal \(name) = words ")[1].split(separator: "\nlocal ")[0]
                .split(separator: "\n\n")[0].split { !$0.isLetter && $0 != "_" }.map(String.init)
        }
        let matchers = prelude.matches(of: /function matchers\.([a-z_]+)/).map { String($0.1) }
        #expect(lists.count > 50 && matchers.count > 10)
        for name in lists + matchers {
            #expect(page.contains(name), "scripts/README.md does not know \(name)")
        }
    }
}

extension Program {
    /// What the one test of a JSON result has printed.
    fileprivate var printed: [String] {
        struct Result: Decodable {
            struct Test: Decodable { let printed: [String]? }
            let tests: [Test]
        }
        let result = try? JSONDecoder().decode(Result.self, from: Data(out.utf8))
        return result?.tests.first?.printed ?? []
    }
}
