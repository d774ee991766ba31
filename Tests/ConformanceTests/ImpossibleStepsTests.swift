import AuthorizationCore
import Conformance
import Testing

/// A slip of the pen must not turn green.
@Suite("A step that cannot happen")
struct ImpossibleStepsTests {
    static let launch = #"{"do":"launch"}"#
    /// Suspended.
    static let away = launch + #",{"do":"background"},{"do":"wait","seconds":100}"#
    static let asked =
        launch + #",{"do":"request_when_in_use"},{"answer":"dont_allow"}"#

    static func test(
        _ steps: String, on ios: [String] = ["26"], members: String = ""
    ) throws -> ConformanceCase {
        let versions = ios.map { "\"\($0)\"" }.joined(separator: ",")
        let text = """
            {"id":"x-1"\(members),"ios":[\(versions)],"plist":{"NSLocationWhenInUseUsageDescription":\
            "t"},"steps":[\(steps)]}
            """
        return try #require(ConformanceFile.read(Array(text.utf8), name: "f").first)
    }

    /// What the first step that fails has seen, and which one it is.
    static func failure(_ test: ConformanceCase) -> (step: Int, seen: String?)? {
        let outcome = ConformanceRunner.run(test, on: test.versions[0])
        return outcome.failures.first.map { ($0.step, $0.differences.first?.seen) }
    }

    /// Every call of the app's, with the first iOS that has it where that is not 8.0.
    static let calls: [(step: String, since: String?)] = [
        (#"{"do":"request_when_in_use"}"#, nil), (#"{"do":"request_always"}"#, nil),
        (#"{"do":"request_temporary_full_accuracy","purpose":"p"}"#, "14.0"),
        (#"{"do":"start","service":"updates"}"#, nil),
        (#"{"do":"start","service":"updates","desired_accuracy":"reduced"}"#, "14.0"),
        (#"{"do":"start","service":"region","id":"r","radius_m":200}"#, nil),
        (#"{"do":"start","service":"monitor","id":"m","radius_m":200}"#, "17.0"),
        (#"{"do":"start","service":"live_updates"}"#, "17.0"),
        (#"{"do":"stop","service":"live_updates"}"#, "17.0"),
        (#"{"do":"stop","service":"heading"}"#, nil), (#"{"do":"request_location"}"#, "9.0"),
        (#"{"do":"request_state","id":"r"}"#, nil),
        (#"{"do":"allow_background_updates","on":false}"#, "9.0"),
        (#"{"do":"shows_indicator","on":true}"#, "11.0"),
        (#"{"do":"pauses_automatically","on":true}"#, nil),
        (#"{"do":"service_session","level":"always","on":true}"#, "18.0"),
        (#"{"do":"background_session","on":true}"#, "17.0"),
        (#"{"do":"create_manager","id":"b"}"#, nil), (#"{"do":"open_monitor"}"#, "17.0"),
    ]

    /// Beside the calls.
    static let others: [(step: String, since: String?)] = [
        (#"{"do":"tap_location_button"}"#, "15.0"), (#"{"do":"add_widget"}"#, "14.0"),
        (#"{"do":"location_alert_map","on":false}"#, "14.0"),
        (#"{"do":"remove_app_clip"}"#, "14.0"), (#"{"settings":"precise","on":false}"#, "14.0"),
        (#"{"do":"event","service":"monitor","id":"m","kind":"satisfied"}"#, "17.0"),
    ]

    @Test("is a call without a process", arguments: calls)
    func calling(_ call: (step: String, since: String?)) throws {
        let never = try #require(Self.failure(try Self.test(call.step)))
        #expect(never.step == 1)
        #expect(
            never.seen == "no process is running; `launch`, `wake` or an event begins one")
        #expect(Self.failure(try Self.test("\(Self.launch),\(call.step)")) == nil)
    }

    @Test("is one that its iOS has no API for, on every version before", arguments: calls + others)
    func version(_ call: (step: String, since: String?)) throws {
        let since = try #require(IOSVersion(call.since ?? "8.0"))
        for (major, _) in IOSVersion.released {
            let version = try #require(IOSVersion(major, 0))
            let failure = Self.failure(
                try Self.test("\(Self.asked),\(call.step)", on: ["\(major)"]))
            if version < since {
                #expect(failure?.step == 4 && failure?.seen?.contains(" has no ") == true)
            } else {
                #expect(failure == nil, "iOS \(version): \(String(describing: failure))")
            }
        }
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let steps: String
        var ios = "26"
        let step: Int
        let seen: String
        var testDescription: String { steps }
    }

    // swift-format-ignore
    static let rows = [
        Row(steps: #"{"do":"foreground"}"#, step: 1, seen: "no process is running; `launch` begins one"),
        Row(steps: #"{"do":"reboot"},{"do":"launch"}"#, step: 2, seen: "locked since `reboot`: nobody opens an app before `unlock`"),
        Row(steps: #"{"do":"upgrade_os","to":"16"}"#, ios: "17", step: 1, seen: "16 is older"),
        Row(steps: launch + #",{"do":"request_when_in_use","manager":"b"}"#, step: 2, seen: "this process has main"),
        Row(steps: launch + #",{"do":"create_manager","id":"b"},{"do":"release_manager","id":"b"},{"do":"release_manager","id":"b"}"#, step: 4, seen: "this process has main"),
        Row(steps: #"{"do":"upgrade_os","to":"16"},{"do":"launch"},{"do":"start","service":"live_updates"}"#, ios: "15", step: 3, seen: "an earlier one has no live updates"),
    ]

    @Test("fails the case where it stands, with the reason", arguments: rows)
    func fails(_ row: Row) throws {
        let failure = try #require(Self.failure(try Self.test(row.steps, on: [row.ios])))
        #expect(failure.step == row.step)
        #expect(failure.seen == row.seen)
    }

    @Test("is each step of an App Clip before iOS 14")
    func clip() throws {
        for (ios, isPassed) in [("13.4", false), ("14", true)] {
            let test = try Self.test(Self.launch, on: [ios], members: #","kind":"app_clip""#)
            #expect(ConformanceRunner.run(test, on: test.versions[0]).isPassed == isPassed)
        }
    }

    // swift-format-ignore
    static let noted: [(steps: String, notes: [String])] = [
        (launch + #",{"expect":{}}"#, ["2 it expects nothing"]),
        (launch, ["0 no step expects anything"]),
        (#"{"expect":{"diagnostics":{},"app":"not_running"}}"#, ["1 it expects nothing of diagnostics"]),
        (#"{"expect":{"delivered_count":{"service":"visits"}}}"#, ["1 it expects nothing of delivered_count"]),
        (launch + #",{"do":"start","service":"region","id":"store","radius_m":9},{"do":"event","service":"region","id":"stroe","kind":"enter"},{"expect":{"delivered":[]}}"#, ["3 it does nothing: no step starts 'stroe'; did you mean 'store'?"]),
        (#"{"do":"unlock"},{"do":"background"},{"do":"terminate"},{"do":"upgrade_os","to":"26"},{"expect":{"crashed":false}}"#, ["1 it does nothing: the device is unlocked already", "2 it does nothing: the app is not_running", "3 it does nothing: no process is running", "4 it does nothing: the device has iOS 26.0 already"]),
        (launch + #",{"do":"wake"},{"do":"launch"},{"expect":{"crashed":false}}"#, ["2 it does nothing: the app is in the foreground already", "3 it does nothing: the app is in the foreground already"]),
        (launch + #",{"settings":"never"},{"settings":"precise","on":true},{"expect":{"crashed":false}}"#, ["2 it does nothing: the app has no row yet: it neither asked for location nor used it (S7)", "3 it does nothing: the app has no row yet: it neither asked for location nor used it (S7)"]),
        (launch + #",{"do":"terminate"},{"expect":{"crashed":false}}"#, ["2 it ends a process in the foreground, which the system does not do"]),
        (away + #",{"do":"request_location"},{"expect":{"crashed":false}}"#, ["4 the process is suspended and calls nothing by itself: `wake` lets it run first"]),
        (asked + #",{"settings":"always"},{"expect":{"status":"denied"}}"#, ["4 it does nothing: for this app Settings lists never, ask_next_time, while_using"]),
    ]

    @Test("but one that does nothing is noted, and the case goes on", arguments: noted)
    func notes(_ row: (steps: String, notes: [String])) throws {
        let summary = ConformanceSummary(running: [try Self.test(row.steps)])
        #expect(summary.isPassed)
        #expect(summary.notes.map { "\($0.note.step) \($0.note.text)" } == row.notes)
    }

    @Test("and a rule that is none are named")
    func rules() throws {
        let test = try Self.test(
            #"{"expect":{"crashed":false}}"#, members: #","rules":["W1","LI6","D20","ZZ9"]"#)
        #expect(
            ConformanceSummary(running: [test]).notes.map(\.note.text) == [
                "the specification has no rule 'ZZ9'"
            ])
    }
}
