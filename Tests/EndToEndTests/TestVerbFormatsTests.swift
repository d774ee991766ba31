import Foundation
import TestSupport
import Testing

/// What `locfleet test` prints for programs.
@Suite("The results of locfleet test")
struct TestVerbFormatsTests {
    private static func threeTests() throws -> ScriptTestRun {
        try ScriptTestRun(
            """
            ["a < b & \\"c\\" # d"] = function(device)
              print("seen", 1)
              expect(device.status):to_be("denied")
            end,
            ["breaks"] = function(device) device:leave() end,
            ["old"] = { ios = "12", function() end },
            ["passes"] = function() end,
            """)
    }

    @Test("are TAP 14 with --tap")
    func tap() throws {
        let test = try Self.threeTests()
        let program = try test.run("--ios", "17.6", "--tap")
        #expect(program.status == 3 && program.error.isEmpty)
        let leave = "leave: the app is not in the foreground (not_running): launch() it first"
        #expect(
            program.out == """
                TAP version 14
                1..4
                not ok 1 - \(test.path): a < b & "c" \\# d (iOS 17.6)
                  ---
                  message: "expected \\"denied\\", seen \\"notDetermined\\""
                  severity: fail
                  at: "\(test.path):5"
                  ...
                # seen\t1
                not ok 2 - \(test.path): breaks (iOS 17.6)
                  ---
                  message: "\(leave)"
                  severity: error
                  at: "\(test.path):7"
                  ...
                ok 3 - \(test.path): old # SKIP for other versions of iOS
                ok 4 - \(test.path): passes (iOS 17.6)
                # checks nothing: it never calls expect

                """)
    }

    @Test("are JUnit's XML with --junit, whatever the names")
    func junit() throws {
        let test = try Self.threeTests()
        let file = test.folder.path("junit.xml")
        let program = try test.run("--ios", "17.6", "--junit", file)
        #expect(program.status == 3 && program.out.contains("2 failed, 1 skipped"))
        let xml = try String(contentsOfFile: file, encoding: .utf8)
        for part in [
            "<testsuites name=\"locfleet test\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">",
            "<testcase name=\"a &lt; b &amp; &quot;c&quot; # d [iOS 17.6]\" classname=\"\(test.path)\"",
            "line=\"3\">", "<failure message=\"expected &quot;denied&quot;, seen", "<skipped/>",
            "<error message=\"leave: the app is not in the foreground",
            ">\(test.path):5: expected", "<system-out>seen&#9;1</system-out>",
            "<system-out>checks nothing: it never calls expect</system-out>",
        ] { #expect(xml.contains(part), "\(part)\n\(xml)") }
    }

    @Test("are JSON with --json")
    func json() throws {
        let test = try Self.threeTests()
        let program = try test.run("--ios", "17.6", "--json")
        let whole = try #require(
            try JSONSerialization.jsonObject(with: Data(program.out.utf8)) as? [String: Any])
        #expect(whole["is_passed"] as? Bool == false)
        #expect(whole["passed"] as? Int == 1 && whole["failed"] as? Int == 2)
        let tests = try #require(whole["tests"] as? [[String: Any]])
        #expect(tests.map { $0["outcome"] as? String } == ["failed", "error", "skipped", "passed"])
        #expect(tests[0]["at"] as? String == "\(test.path):5")
        #expect(tests[0]["printed"] as? [String] == ["seen\t1"])
        #expect(tests.map { $0["note"] != nil } == [false, false, false, true])
    }

    @Test("tell a failure's story with --story, and one test with --filter")
    func story() throws {
        let test = try Self.threeTests()
        let program = try test.run("--filter", "break", "--story")
        #expect(program.status == 3)
        #expect(program.out.contains("00:00:00  installed the app"))
        #expect(program.out.hasSuffix("\n\n1 test: 0 passed, 1 failed\n"))
        let none = try test.run("--filter", "nothing like it")
        #expect(none.status == 2 && none.error.contains("no test has this in 'FILE: NAME'"))
    }

    @Test("say which tests pass whatever they see")
    func unchecked() throws {
        let rows = [
            ("", true), ("device:launch()", true), ("expect(1)", true),
            ("expect(1):to_be(1)", false),
            ("expect.equal(1, 1)", false), ("assert(device.ios > 1)", false),
            ("expect(function() error(\"x\") end):to_fail()", false),
        ]
        for (body, isSaid) in rows {
            let program = try ScriptTestRun.body(body)
            let note = "  ✓ test  iOS 18.0\n      note: checks nothing: it never calls expect\n"
            #expect(program.status == 0 && program.out.contains(note) == isSaid, "\(body)")
            #expect(program.out.hasSuffix("1 passed; 1 checks nothing\n") == isSaid, "\(body)")
        }
    }

    @Test("are none where every test was skipped, and that is no success")
    func nothingRan() throws {
        let test = try ScriptTestRun("[\"old\"] = { ios = \"12\", function() end },")
        let said = "--ios 18: nothing ran, for every test that was chosen is for other versions"
        let junit = test.folder.path("junit.xml")
        for (options, part) in [
            ([], "\n\nnothing ran: 1 skipped, for other versions of iOS\n"),
            (["--tap"], "\nBail out! nothing ran: 1 skipped"), (["--json"], "\"is_passed\": false"),
            (["--junit", junit], "nothing ran"),
        ] {
            let program = try Program.locfleet(["test", test.path, "--ios", "18"] + options)
            #expect(program.status == 2 && program.error.contains(said), "\(program.error)")
            #expect(program.out.contains(part), "\(program.out)")
        }
        #expect(try String(contentsOfFile: junit, encoding: .utf8).contains("skipped=\"1\""))
    }

    @Test("come of right usage alone")
    func usage() throws {
        let rows: [([String], String)] = [
            ([], "a file of tests is missing; see 'locfleet help test'"),
            (["a.lua", "--tap", "--json"], "--tap and --json both print"),
            (["a.lua", "--ios", "19"], "--ios: a version or a range"),
            (["a.lua", "--seed", "x"], "--seed is a whole number in 0 ..."),
            (["a.lua", "--storey"], "unknown option --storey; did you mean --story?"),
        ]
        for (words, said) in rows {
            let program = try Program.locfleet(["test"] + words)
            #expect(program.status == 2 && program.error.contains(said), "\(program.error)")
        }
        let test = try Self.threeTests()
        let places = [
            ("none/x.xml", "none/x.xml: No such file or directory"),
            (".", ": this is a folder; a file is due"), ("-", "--junit - would share"),
            ("", "--junit: a file is due, not \"\""),
        ]
        for (place, said) in places {
            let path = ["-", ""].contains(place) ? place : test.folder.path(place)
            let program = try test.run("--junit", path)
            #expect(program.status == 2 && program.error.contains(said), "\(program.error)")
        }
        let full = try test.run("--junit", "/dev/full")
        #expect(full.status == 1)
        #expect(full.error == "locfleet: --junit /dev/full: No space left on device\n")
    }

    @Test("move no terminal's cursor, and show all of a message with a NUL byte")
    func control() throws {
        let test = try ScriptTestRun(
            """
            ["a\\27[2Jb"] = function() print("x\\27", "y") error("one\\0two\\7") end,
            """)
        for words in [[], ["--tap"]] {
            let program = try Program.locfleet(["test", test.path] + words)
            #expect(program.status == 3)
            let bytes = program.out.utf8
            #expect(bytes.allSatisfy { $0 >= 32 || $0 == 10 || $0 == 9 }, "\(program.out)")
            #expect(program.out.contains("a\u{FFFD}[2Jb"), "\(program.out)")
            #expect(program.out.contains("x\u{FFFD}\ty"), "\(program.out)")
            #expect(program.out.contains("one\u{FFFD}two"), "\(program.out)")
        }
    }
}
