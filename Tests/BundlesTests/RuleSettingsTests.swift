import AuthorizationCore
import Foundation
import TestSupport
import Testing

@testable import Bundles

/// The keys of `rules` against section 15 of the specification, written down here from its tables.
@Suite("The settings of section 15")
struct RuleSettingsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let key: String
        /// As typed.
        let standard: String
        /// Of a number; nil: one of `words`.
        var range: ClosedRange<Double>?
        var words: [String] = []
        var testDescription: String { key }

        init(_ key: String, _ standard: Double, _ range: ClosedRange<Double>) {
            (self.key, self.standard, self.range) = (key, "\(standard)", range)
        }

        /// The default comes first.
        init(_ key: String, _ words: String...) {
            (self.key, standard, self.words) = (key, words[0], words)
        }
    }

    // swift-format-ignore
    static let questions: [Row] = [
        Row("always_keys", "current", "any_always_key", "all_three"),
        Row("legacy_upgrade_prompt", "once", "never"),
        Row("provisional_always", "from_13", "only_before_13_4"),
        Row("ask_next_time_clears_spent", "true", "false"),
        Row("allow_once_grace_seconds", 10, 0...3_600),
        Row("confirm_delay_min_seconds", 300, 0...2_592_000),
        Row("confirm_delay_max_seconds", 1_800, 0...2_592_000),
        Row("held_event_ttl_seconds", 3_600, 0...2_592_000),
        Row("reminder_first_days", 3, 0...365),
        Row("reminder_interval_days", 3, 0...365),
        Row("legacy_reminder_repeats", "false", "true"),
        Row("services_off_status", "denied", "kept"),
        Row("restriction_scope", "undecided", "all"),
        Row("reinstall_keeps_decision", "false", "true"),
        Row("undetermined_start", "silent", "location_unknown", "denied"),
        Row("undetermined_start_error_seconds", 10, 0...60),
        Row("explicit_session_key", "either", "article", "header"),
        Row("always_needs_session", "never", "monitor", "all"),
        Row("temporary_full_enables_regions", "false", "true"),
        Row("relaunch_after_force_quit", "before_26", "always", "never"),
        Row("background_refresh_blocks_relaunch", "false", "true"),
        Row("allow_once_row", "ask_next_time", "while_using"),
        Row("unauthorized_accuracy", "full", "precise_switch"),
        Row("request_during_prompt", "dropped", "spends_always"),
        Row("prompt_on_leave", "dismiss", "stay"),
        Row("unauthorized_full_accuracy", "prompt_declined", "no_completion"),
        Row("off_main_request", "prompts", "silent"),
        Row("reduced_ranging", "error", "silent"),
        Row("services_off_alert", "all", "only_9_and_10", "none"),
        Row("app_reset_ends_process", "true", "false"),
        Row("empty_purpose_text", "present", "missing"),
        Row("prompt_on_release", "dismiss", "stay"),
        Row("ask_next_time_drops_widget", "true", "false"),
        Row("migration_keeps_decisions", "true", "false"),
    ]

    // swift-format-ignore
    static let figures: [Row] = [
        Row("one_shot_timeout_seconds", 10, 1...300),
        Row("wake_run_seconds", 10, 1...60),
        Row("region_dwell_seconds", 20, 0...3_600),
        Row("region_cushion_meters", 200, 0...2_000),
        Row("region_min_radius_meters", 100, 1...1_000),
        Row("region_max_radius_meters", 1_000_000, 1_000...20_000_000),
        Row("region_latency_min_seconds", 180, 0...3_600),
        Row("region_latency_max_seconds", 300, 0...3_600),
        Row("significant_change_distance_meters", 500, 100...5_000),
        Row("significant_change_interval_seconds", 300, 60...3_600),
        Row("visit_delay_min_seconds", 120, 0...7_200),
        Row("visit_delay_max_seconds", 600, 0...7_200),
        Row("reduced_interval_seconds", 900, 60...7_200),
        Row("reduced_accuracy_meters", 5_000, 1_000...20_000),
        Row("pause_after_rest_seconds", 900, 60...86_400),
        Row("live_update_interval_seconds", 1, 0.5...10),
        Row("reboot_monitoring_delay_seconds", 600, 0...3_600),
        Row("app_clip_removal_days", 30, 1...365),
    ]

    /// What stands in `rules` under `key`, as it would be typed.
    private func value(_ key: String, in rules: SystemRules) -> String? {
        switch RuleSettings.entries.first(where: { $0.name == key })?.kind {
        case .number(let path, _)?: "\(rules[keyPath: path])"
        case .bool(let path)?: "\(rules[keyPath: path])"
        case .word(_, let get, _)?: get(rules)
        case nil: nil
        }
    }

    @Test("are the keys of rules, each once and no others")
    func keys() {
        let names = RuleSettings.entries.map(\.name)
        #expect(names.sorted() == (Self.questions + Self.figures).map(\.key).sorted())
    }

    @Test("have these defaults", arguments: questions + figures)
    func defaults(_ row: Row) {
        #expect(value(row.key, in: SystemRules()) == row.standard)
    }

    @Test("take what the specification lists, and each is kept", arguments: questions + figures)
    func accepted(_ row: Row) throws {
        var typed = row.words
        if let range = row.range { typed = ["\(range.lowerBound)", "\(range.upperBound)"] }
        for text in typed {
            var settings = [(key: row.key, value: text)]
            // Of a pair, the other end makes way.
            for pair in RuleSettings.pairs where pair.min == row.key {
                settings.append((key: pair.max, value: "\(row.range?.upperBound ?? 0)"))
            }
            for pair in RuleSettings.pairs where pair.max == row.key {
                settings.append((key: pair.min, value: "0"))
            }
            let rules = try SystemRules(settings: settings)
            #expect(value(row.key, in: rules) == text)
            #expect((rules == SystemRules()) == (text == row.standard && settings.count == 1))
        }
    }

    @Test("refuse everything else", arguments: questions + figures)
    func refused(_ row: Row) {
        var typed = ["other", "''", "null", "[]", "1e9", "-1"]
        if let range = row.range {
            typed += ["true", "\(range.lowerBound - 0.01)", "\(range.upperBound + 0.01)"]
        } else if row.words.allSatisfy({ $0 == "true" || $0 == "false" }) {
            typed.append("1")
        } else {
            typed += ["true", row.words[0].uppercased()]
        }
        for text in typed {
            #expect(throws: BundleError.self, "\(text)") {
                try SystemRules(settings: [(row.key, text)])
            }
        }
    }

    @Test("have no least above its most")
    func pairs() throws {
        for pair in RuleSettings.pairs {
            #expect(throws: BundleError.self) {
                try SystemRules(settings: [(pair.min, "20"), (pair.max, "19")])
            }
            let rules = try SystemRules(settings: [(pair.min, "20"), (pair.max, "20")])
            #expect(RuleSettings.number(pair.min, in: rules) == 20)
            #expect(RuleSettings.number(pair.max, in: rules) == 20)
        }
        let keys = (Self.questions + Self.figures).map(\.key)
        let least = keys.filter { $0.contains("_min_seconds") }
        #expect(RuleSettings.pairs.map(\.min).sorted() == least.sorted())
    }

    @Test("stand in config/README.md with default and range", arguments: questions + figures)
    func documented(_ row: Row) throws {
        let page = try String(
            contentsOf: projectRoot.appending(path: "config/README.md"), encoding: .utf8)
        let line = page.split(separator: "\n").first { $0.hasPrefix("| `\(row.key)` |") }
        let cells = try #require(line, "it has no row").split(separator: "|").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        if let range = row.range {
            #expect(cells[2] == grouped(Double(row.standard) ?? .nan))
            let span = "\(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
            let isMost = RuleSettings.pairs.contains { $0.max == row.key }
            #expect(cells[3] == (isMost ? span + ", not below the least" : span))
        } else if row.words.contains("true") {
            #expect(cells[2] == row.standard && cells[3] == "true, false")
        } else {
            #expect(cells[2] == "`\"\(row.standard)\"`")
            #expect(cells[3] == row.words.map { "`\"\($0)\"`" }.joined(separator: ", "))
        }
    }

    @Test("are not said to wait for what scripts have by now")
    func waiting() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: projectRoot.appending(path: path), encoding: .utf8).lowercased()
        }
        let api = try text("config/scripting/api.jsonl").components(separatedBy: .newlines)
            .compactMap { $0.components(separatedBy: #""name": ""#).dropFirst().first }
            .compactMap { $0.components(separatedBy: "\"").first }
        for line in try text("config/README.md").split(separator: "\n") where line.hasPrefix("| `")
        {
            #expect(!line.contains("has one manager"), "\(line)")
            guard let rest = line.components(separatedBy: "strategies have no ").dropFirst().first
            else { continue }
            let words = rest.components(separatedBy: " yet")[0].split(separator: " ")
            let thing = words.map { $0.hasSuffix("s") ? $0.dropLast() : $0 }.joined()
            #expect(!api.contains { $0.contains(thing) }, "\(line)")
        }
    }

    @Test("refuse a key that is not there with the nearest that is")
    func unknown() {
        let error = #expect(throws: BundleError.self) {
            try SystemRules(settings: [("pause_after_rest_second", "60")])
        }
        #expect(error?.message.contains("\"pause_after_rest_seconds\"") == true)
    }
}
