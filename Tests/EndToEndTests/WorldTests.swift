import Foundation
import TestSupport
import Testing

/// What a scenario does to the world, and what a person does to the phone, as the command logs it.
@Suite("The world of a scenario")
struct WorldTests {
    struct Row: CustomTestStringConvertible, Sendable {
        /// The word of interventions and of `phone`.
        let act: String
        /// As JSON and as Lua writes it.
        let value: String
        /// What the log has at that instant and in the seconds after it, without its head.
        let lines: [String]
        /// Whether the app asks at its first launch; else it has nothing.
        let asks: Bool
        var testDescription: String { "\(act)(\(value))" }

        init(_ act: String, _ value: String = "", asks: Bool = true, lines: [String]) {
            (self.act, self.value, self.asks, self.lines) = (act, value, asks, lines)
        }
    }

    // swift-format-ignore
    static let rows: [Row] = [
        Row("settings", #""never""#, lines: [#"settings","row":"never"}"#, status("denied", "denied", "S9"), callback("denied", "fullAccuracy")]),
        Row("precise", "false", lines: [#"settings","precise":false}"#, status("authorizedWhenInUse", "when_in_use", "AC9", "reducedAccuracy"), callback("authorizedWhenInUse", "reducedAccuracy")]),
        Row("location_services", "false", lines: [#"settings","location_services":false}"#, status("denied", "when_in_use", "G1"), callback("denied", "fullAccuracy")]),
        Row("restrict_location", "true", lines: [world("restriction_on")]),
        Row("restrict_location", "true", asks: false, lines: [world("restriction_on"), status("restricted", "restricted", "G7"), callback("restricted", "fullAccuracy")]),
        Row("reset_location_privacy", lines: [world("reset_location_privacy"), status("notDetermined", "not_determined", "G9"), callback("notDetermined", "fullAccuracy")]),
        Row("force_quit", lines: [world("force_quit"), closed("force_quit")]),
        Row("reboot", lines: [world("reboot"), closed("terminated")]),
        Row("delete_app", lines: [world("delete_app"), closed("deleted"), status("notDetermined", "not_determined", "G10")]),
        Row("reinstall", #""10s""#, lines: [world("delete_app"), closed("deleted"), status("notDetermined", "not_determined", "G10"), world("reinstall"), #"installed"}"#]),
        Row("upgrade_os", #""26.0""#, lines: [closed("terminated"), #"world","what":"upgrade_os","to":"26.0"}"#]),
        Row("background_app_refresh", "false", lines: [world("background_app_refresh_off")]),
        Row("place_widget", lines: [world("place_widget"), prompt("widget"), answer("widget")]),
        Row("place_widget", asks: false, lines: [world("place_widget", rule: "X5")]),
        Row("tap_location_button", lines: [world("tap_location_button", rule: "X8")]),
        Row("tap_location_button", asks: false, lines: [world("tap_location_button"), prompt("location_button"), answer("location_button"), status("authorizedWhenInUse", "allow_once", "X7"), callback("authorizedWhenInUse", "fullAccuracy")]),
    ]

    private static func world(_ what: String) -> String { #"world","what":"\#(what)"}"# }
    private static func world(_ what: String, rule: String) -> String {
        #"world","what":"\#(what)","rule":"\#(rule)"}"#
    }
    private static func closed(_ to: String) -> String { #"closed","to":"\#(to)"}"# }
    private static func status(
        _ visible: String, _ true_: String, _ rule: String, _ accuracy: String = "fullAccuracy"
    ) -> String {
        #"status","visible":"\#(visible)","true":"\#(true_)","rule":"\#(rule)","#
            + #""accuracy":"\#(accuracy)"}"#
    }
    private static func callback(_ status: String, _ accuracy: String) -> String {
        #"callback","status":"\#(status)","accuracy":"\#(accuracy)"}"#
    }
    private static func prompt(_ kind: String) -> String {
        #"prompt","kind":"\#(kind)","ordinal":1,"choices":["allow","dont_allow"],"#
            + #""primed":false,"expected":true}"#
    }
    private static func answer(_ kind: String) -> String {
        #"answer","kind":"\#(kind)","choice":"allow"}"#
    }

    /// Opens the app after an hour and agrees to everything; does `act` after 400 s in it.
    private func person(_ act: String) -> String {
        """
        return {
          next_open = function() return 3600 end,
          session_length = function() return 600 end,
          next_tap = function(self, person, features)
            if not self.is_in then self.is_in = true return features[1], 400 end
            \(act)
          end,
          answer_prompt = function(_, prompt) return prompt.choices[1] end,
        }
        """
    }

    private let asking = """
        return { entered_foreground = function(_, app)
          if app.sessions == 1 then app.manager:requestWhenInUseAuthorization() end
        end }
        """

    private func folder(
        act: String = "", asks: Bool, interventions: String, app: String = ""
    ) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write(person(act), to: "person.lua")
        try folder.write(asks ? asking : "return {}", to: "app.lua")
        try folder.write(
            """
            { devices: 1, duration: "2h", ios: [["17.6", 1]], delays: { termination_mean: "365d" },
              personas: [{ name: "one", behavior: "person.lua" }],
              app: { info_plist: "apps/store-finder/Info.plist", strategy: "app.lua",
                     features: ["map"], \(app) },
              interventions: [\(interventions)] }
            """, to: "world.json5")
        return folder
    }

    /// The log from `second` on for fifteen seconds: what follows `"type":"`, but for taps.
    private func log(_ folder: ScratchFolder, from second: Int) throws -> [String] {
        let program = try Program.locfleet(["run", folder.path("world.json5"), "--log", "-"])
        #expect(program.status == 0, "\(program.error)")
        return program.out.split(separator: "\n").compactMap { line in
            let digits = line.drop { !$0.isNumber }.prefix { $0.isNumber }
            guard let time = Int(digits), 0..<15 ~= time / 1_000_000 - second,
                let type = line.range(of: #""type":""#)
            else { return nil }
            let rest = String(line[type.upperBound...])
            return rest.hasPrefix("tapped") ? nil : rest
        }
    }

    @Test("is changed by an intervention at its instant", arguments: rows)
    func intervention(_ row: Row) throws {
        let value = row.value.isEmpty ? "" : ", value: \(row.value)"
        let folder = try folder(
            asks: row.asks, interventions: #"{ at: "4000s", do: "\#(row.act)"\#(value) }"#)
        #expect(try log(folder, from: 4_000) == row.lines)
    }

    @Test("is changed by a person in the same words, with the same records", arguments: rows)
    func behavior(_ row: Row) throws {
        let folder = try folder(
            act: "phone.\(row.act)(\(row.value))", asks: row.asks, interventions: "")
        #expect(try log(folder, from: 4_000) == row.lines)
    }

    @Test("is changed by the system, too: it ends processes, and apps are updated")
    func system() throws {
        let folder = try folder(
            asks: true,
            interventions: """
                { at: "4000s", do: "terminate" },
                { at: "4010s", do: "update_app", value: "none.plist" },
                """)
        try folder.write("{ UIBackgroundModes = (location); }", to: "none.plist")
        #expect(
            try log(folder, from: 4_000) == [
                Self.closed("terminated"), Self.world("update_app"),
                Self.status("notDetermined", "not_determined", "G11"),
            ])
    }

    @Test("has no location button for who is not in the app")
    func noButton() throws {
        let folder = try folder(
            asks: false, interventions: #"{ at: "3000s", do: "tap_location_button" }"#)
        #expect(
            try log(folder, from: 3_000) == [
                #"world","what":"tap_location_button","ignored":"not_on_screen","rule":"X7"}"#
            ])
    }

    @Test("tells in a device's story of widgets, buttons, and the end of an App Clip")
    func story() throws {
        let interventions = """
            { at: "4000s", do: "tap_location_button" }, { at: "4010s", do: "settings", \
            value: "while_using" }, { at: "4020s", do: "place_widget" }
            """
        func story(_ app: String, days: String) throws -> String {
            let folder = try folder(asks: false, interventions: interventions, app: app)
            let program = try Program.locfleet([
                "why", folder.path("world.json5"), "--device", "0", "--days", days,
            ])
            #expect(program.status == 0, "\(program.error)")
            return program.out
        }
        let app = try story("", days: "1")
        for words in [
            "tapped the location button", "location button's prompt (1st of its kind, expected)",
            "[X7: the location button asks once, then grants]",
            "placed a widget of the app's on the Home Screen", "widget's prompt (1st of its kind",
        ] { #expect(app.contains(words), "\(words): \(app)") }
        let clip = try story("app_clip: true", days: "2")
        #expect(clip.contains("[X1: an App Clip's grant ends at four in the morning]"), "\(clip)")
        #expect(!clip.contains("placed a widget"), "\(clip)")
    }

    @Test("takes an App Clip away after the days of disuse that the rules say")
    func appClip() throws {
        let folder = try folder(asks: true, interventions: "", app: "app_clip: true")
        try folder.write(
            """
            return {
              next_open = function(self, person)
                if person.day > 0 then return nil end
                return 3600
              end,
              session_length = function() return 80000 end,
              answer_prompt = function(_, prompt) return prompt.choices[1] end,
            }
            """, to: "person.lua")
        let program = try Program.locfleet([
            "why", folder.path("world.json5"), "--device", "0", "--days", "9",
            "--set", "rules.app_clip_removal_days=5",
        ])
        #expect(program.status == 0, "\(program.error)")
        let removal = "the system removed the App Clip, which had not been used for long"
        #expect(program.out.contains(removal), "\(program.out)")
        #expect(program.out.contains("Day 6"), "\(program.out)")
        #expect(program.out.contains("At the end: the app is deleted"), "\(program.out)")
    }
}
