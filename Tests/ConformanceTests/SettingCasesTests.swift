import AuthorizationCore
import Conformance
import Testing

/// Cases of our own under other settings of section 15, with the system's delays.
@Suite("A conformance case under another setting")
struct SettingCasesTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let id: String
        var ios = "17.0"
        /// Steps before the last, which `expect`s `standard` by default and `other` as set.
        let steps: String
        let set: @Sendable (inout SystemRules) -> Void
        let standard: String
        let other: String
        var keepsDelays = true
        var testDescription: String { id }
    }

    private static let always =
        #"{"do":"launch"},{"do":"request_when_in_use"},{"answer":"allow_while_using"},{"settings":"always"}"#
    private static let region = #"{"do":"start","service":"region","id":"r","radius_m":300}"#
    private static let entered = #""delivered":[{"service":"region","id":"r","kind":"enter"}]"#
    private static let arrived = #""delivered":[{"service":"visits","kind":"arrival"}]"#
    private static let nothing = #""delivered":[]"#
    private static func wait(_ seconds: Int) -> String { #"{"do":"wait","seconds":\#(seconds)}"# }
    private static let cross =
        region + #",{"do":"event","service":"region","id":"r","kind":"enter"}"#
    private static let visit =
        #"{"do":"start","service":"visits"},{"do":"event","service":"visits","kind":"arrival"}"#
    private static let condition =
        #"{"do":"start","service":"monitor","id":"m","radius_m":300},{"do":"event","service":"monitor","id":"m","kind":"satisfied"}"#
    private static let drive =
        #"{"do":"start","service":"significant_change"},{"do":"drive","seconds":700}"#
    private static let follow =
        #"{"do":"allow_background_updates","on":true},{"do":"start","service":"updates"},{"do":"background"}"#
    private static func changes(_ count: Int) -> String {
        #""delivered_count":{"service":"significant_change","min":\#(count),"max":\#(count)}"#
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row(id: "region_latency, least", steps: [always, cross, wait(239)].joined(separator: ","), set: { $0.regionLatencyMinSeconds = 0 }, standard: nothing, other: entered),
        Row(id: "region_latency, most", steps: [always, cross, wait(240)].joined(separator: ","), set: { $0.regionLatencyMaxSeconds = 3_600 }, standard: entered, other: nothing),
        Row(id: "region_latency of a jump", steps: [always, region, #"{"do":"position","id":"r","edge_m":-300}"#, wait(60)].joined(separator: ","), set: { $0.regionLatencyMinSeconds = 20; $0.regionLatencyMaxSeconds = 40 }, standard: nothing, other: entered),
        Row(id: "region_latency of a condition", steps: [always, condition, wait(100)].joined(separator: ","), set: { $0.regionLatencyMinSeconds = 90; $0.regionLatencyMaxSeconds = 90 }, standard: nothing, other: #""delivered":[{"service":"monitor","id":"m","kind":"satisfied"}]"#),
        Row(id: "region_latency in conformance mode", steps: [always, cross].joined(separator: ","), set: { $0.regionLatencyMinSeconds = 290 }, standard: entered, other: entered, keepsDelays: false),
        Row(id: "visit_delay, least", steps: [always, visit, wait(340)].joined(separator: ","), set: { $0.visitDelayMinSeconds = 0 }, standard: nothing, other: arrived),
        Row(id: "visit_delay, most", steps: [always, visit, wait(360)].joined(separator: ","), set: { $0.visitDelayMaxSeconds = 7_200 }, standard: arrived, other: nothing),
        Row(id: "significant_change_distance_meters", steps: [always, drive].joined(separator: ","), set: { $0.significantChangeDistanceMeters = 5_000 }, standard: changes(3), other: changes(2)),
        Row(id: "significant_change_interval_seconds", steps: [always, drive].joined(separator: ","), set: { $0.significantChangeIntervalSeconds = 60 }, standard: changes(3), other: changes(12)),
        Row(id: "pause_after_rest_seconds", steps: [always, follow, wait(900), #"{"do":"fix"}"#].joined(separator: ","), set: { $0.pauseAfterRestSeconds = 1_000 }, standard: nothing, other: #""delivered":[{"service":"updates"}]"#),
        Row(id: "pause_after_rest_seconds, sooner", steps: [always, follow, wait(100), #"{"do":"fix"}"#].joined(separator: ","), set: { $0.pauseAfterRestSeconds = 60 }, standard: #""delivered":[{"service":"updates"}]"#, other: nothing),
        Row(id: "pause_after_rest_seconds in conformance mode", steps: [always, follow, wait(2_000), #"{"do":"fix"}"#].joined(separator: ","), set: { $0.pauseAfterRestSeconds = 60 }, standard: #""delivered":[{"service":"updates"}]"#, other: #""delivered":[{"service":"updates"}]"#, keepsDelays: false),
        Row(id: "reboot_monitoring_delay_seconds", steps: [always, region, #"{"do":"reboot"},{"do":"unlock"}"#, wait(60), #"{"do":"event","service":"region","id":"r","kind":"enter"}"#, wait(300)].joined(separator: ","), set: { $0.rebootMonitoringDelaySeconds = 300 }, standard: #""launched_by_system":false"#, other: #""launched_by_system":true"#),
        Row(id: "undetermined_start location_unknown", ios: "10.0", steps: [#"{"do":"launch"},{"do":"start","service":"updates"}"#, wait(10)].joined(separator: ","), set: { $0.undeterminedStart = .locationUnknown }, standard: #""errors":[]"#, other: #""errors":[{"service":"updates","code":"locationUnknown"}]"#, keepsDelays: false),
        Row(id: "undetermined_start_error_seconds", ios: "10.0", steps: [#"{"do":"launch"},{"do":"start","service":"updates"}"#, wait(10)].joined(separator: ","), set: { $0.undeterminedStart = .locationUnknown; $0.undeterminedStartErrorSeconds = 11 }, standard: #""errors":[]"#, other: #""errors":[]"#, keepsDelays: false),
        Row(id: "undetermined_start denied", ios: "10.0", steps: #"{"do":"launch"},{"do":"start","service":"updates"}"#, set: { $0.undeterminedStart = .denied }, standard: #""errors":[]"#, other: #""errors":[{"service":"updates","code":"denied"}]"#, keepsDelays: false),
        Row(id: "unauthorized_accuracy", steps: always + #",{"settings":"precise","on":false},{"settings":"never"}"#, set: { $0.unauthorizedAccuracy = .preciseSwitch }, standard: #""accuracy":"fullAccuracy""#, other: #""accuracy":"reducedAccuracy""#, keepsDelays: false),
        Row(id: "off_main_request", steps: #"{"do":"launch"},{"do":"request_always","thread":"background"}"#, set: { $0.offMainRequest = .silent }, standard: #""prompt":{"kind":"when_in_use"}"#, other: #""prompt":null"#, keepsDelays: false),
    ]

    private func failures(
        _ row: Row, _ expectation: String, _ rules: SystemRules
    ) throws -> [ConformanceFailure] {
        let text = #"""
            {"id":"s-1","ios":["\#(row.ios)"],"plist":{"NSLocationWhenInUseUsageDescription":"a","NSLocationAlwaysAndWhenInUseUsageDescription":"b","UIBackgroundModes":["location"]},"steps":[\#(row.steps),{"expect":{\#(expectation)}}]}
            """#
        let test = try #require(ConformanceFile.read(Array(text.utf8), name: "x").first)
        return ConformanceRunner.run(
            test, on: test.versions[0], under: rules, keepsDelays: row.keepsDelays
        ).failures
    }

    @Test("goes as the setting says", arguments: rows)
    func settings(_ row: Row) throws {
        #expect(try failures(row, row.standard, SystemRules()) == [])
        var rules = SystemRules()
        row.set(&rules)
        #expect(try failures(row, row.other, rules) == [])
    }
}
