import Bundles
import ControlProtocol
import ControlService
import DaemonRuntime
import SimPrimitives
import Simulation
import TestSupport
import Testing

let replacements = BundleReader.withLua(library: [projectRoot])

/// A scenario with files of its own.
func bundle(
    _ files: [String: String], devices: Int = 200, days: Int = 8,
    personas: String = #"[{ name: "all", behavior: "person.lua" }]"#,
    app: String = #"strategy: "app.lua""#, _ more: String = ""
) throws -> Bundles.Bundle {
    let folder = try ScratchFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let path = try folder.write(
        """
        { name: "own", devices: \(devices), duration: "\(days)d", personas: \(personas),
          app: { info_plist: "apps/store-finder/Info.plist", \(app),
                 features: ["store_finder", "arrival_alerts"] }, \(more) }
        """, to: "own.json5")
    return try replacements.read(scenarioPath: path)
}

/// What happened, without the numbers that the records before have shifted.
func told(_ runner: FleetRunner) -> [String] {
    runner.takeRecords().records.compactMap { record in
        switch record.content {
        // An update names what it brings, which is all that two may differ in.
        case .recast(.strategy, _), .world(.updateApp):
            "\(record.time.microseconds) \(record.device.number) update"
        case .recast: nil
        default: "\(record.time.microseconds) \(record.device.number) \(record.content)"
        }
    }
}

extension Bundles.Bundle {
    func runner(
        workers: Int = 1, devices: Range<UInt32>? = nil, epoch: SimDuration? = nil,
        journal: [Intervention] = []
    ) throws -> FleetRunner {
        let runner = try FleetRunner(
            arms,
            options: FleetRunner.Options(
                workers: workers, devices: devices, keepsRecords: arms.count == 1, epoch: epoch),
            journal: journal)
        #expect(runner.run() == .duration)
        return runner
    }

    /// An intervention that brings this script.
    func bringing(
        _ word: String, _ name: String, _ text: String, where condition: String? = nil,
        share: Double = 1, options: RequestedValue? = nil, after journal: [Intervention] = []
    ) throws -> Intervention {
        let bytes = Array(text.utf8)
        return try intervention(
            where: condition, share: share, do: word, value: .string(name),
            sha256: Bundles.sha256(bytes), options: options, after: journal,
            from: replacements.scripts { $0 == Bundles.sha256(bytes) ? bytes : nil })
    }
}

/// Scripts that tell of themselves: milestones with what they are called.
enum Told {
    static func app(_ name: String) -> String {
        """
        return {
          launched = function(self, app)
            self.launches = (self.launches or 0) + 1
            app:milestone("\(name) launch " .. self.launches)
            app:after(200, function(self, app) app:milestone("\(name) timer") end)
            app:start(function(self, app) wait(100); app:milestone("\(name) waited") end)
          end,
          entered_foreground = function(self, app)
            app.manager:requestWhenInUseAuthorization()
          end,
        }
        """
    }

    static func person(_ choice: String) -> String {
        """
        return {
          next_open = function(self) self.opened = (self.opened or 0) + 1; return 3600 end,
          session_length = function() return 300 end,
          answer_prompt = function(self, prompt)
            funnel.step("\(choice) after " .. (self.opened or 0))
            return "\(choice)", { after = 60 }
          end,
        }
        """
    }

    static let files = [
        "app.lua": app("old"), "new.lua": app("new"), "third.lua": app("third"),
        "person.lua": person("dont_allow"), "kind.lua": person("allow_while_using"),
    ]

    /// One device's milestones and answers, with the second of each, under these interventions.
    static func story(_ interventions: String, _ more: String = "") throws -> [String] {
        let bundle = try bundle(
            files, devices: 1, days: 1, "interventions: [\(interventions)], \(more)")
        let runner = try bundle.runner()
        let (records, names) = runner.takeRecords()
        return records.compactMap { record in
            let second = record.time.microseconds / 1_000_000
            guard second < 8_000 else { return nil }
            switch record.content {
            case .milestone(let name): return "\(second) \(names[name])"
            case .answer(let given): return "\(second) \(given.choice)"
            case .unanswered: return "\(second) unanswered"
            case .recast(let recast, let script):
                return "\(second) \(recast.rawValue) \(bundle.scenario.scripts[Int(script)].name)"
            case .scriptFailure(let place):
                return "\(second) failure of \(bundle.scenario.scripts[Int(place.script)].name)"
            default: return nil
            }
        }
    }
}

extension DaemonSuite {
    @Suite("An intervention that replaces a script")
    struct ReplacementTests {
        private static let shipped =
            #"[{ name: "a", behavior: "archetype.lua", options: { grant_share: 0.8 } },"#
            + #" { name: "b", behavior: "archetype.lua", options: { grant_share: 0.1 } }]"#

        private func shipped(_ interventions: String) throws -> Bundles.Bundle {
            try bundle(
                [:], days: 12, personas: Self.shipped, app: #"strategy: "progressive.lua""#,
                "interventions: [\(interventions)]")
        }

        @Test("of the same text does to a strategy what an update does, and no more")
        func sameStrategy() throws {
            let instant = #"at: "100h", share: 0.6"#
            let replaced = try shipped(
                #"{ \#(instant), do: "strategy", value: "progressive.lua" }"#
            ).runner()
            let updated = try shipped(
                #"{ \#(instant), do: "update_app", value: "apps/store-finder/Info.plist" }"#
            ).runner()
            let reach = replaced.interventionCounts[0][0]
            #expect(reach == updated.interventionCounts[0][0])
            #expect(80...150 ~= reach.devices)
            #expect((told(replaced) == told(updated)) as Bool)
            #expect(replaced.eventCount == updated.eventCount)
        }

        @Test(
            "or options of the same text and values does nothing to people",
            arguments: [
                #"do: "behavior", value: "archetype.lua""#,
                #"do: "options", where: "persona = a", value: { grant_share: 0.8 }"#,
                #"do: "app_options", value: { upgrade_after_uses: 3 }"#,
            ])
        func samePeople(_ action: String) throws {
            let replaced = try shipped(#"{ at: "100h", \#(action) }"#).runner()
            let untouched = try shipped("").runner()
            #expect(replaced.interventionCounts[0][0].devices > 50)
            #expect((told(replaced) == told(untouched)) as Bool)
            let other = try shipped(
                #"{ at: "100h", do: "options", value: { grant_share: 0.5 } }"#
            ).runner()
            #expect((told(other) != told(untouched)) as Bool, "other values do something")
        }

        @Test("means nobody where nobody is meant, and leaves no trace")
        func nobody() throws {
            let none = try shipped(
                #"{ at: "100h", where: "device > 9999", do: "behavior", value: "nudged.lua" },"#
                    + #"{ at: "101h", where: "device > 9999", do: "strategy", value: "always_first.lua" }"#
            ).runner()
            let untouched = try shipped("").runner()
            #expect(none.interventionCounts[0].allSatisfy { $0 == InterventionReach() })
            #expect(none.figures().digest == untouched.figures().digest)
        }

        // MARK: - A device's life

        @Test("before the first launch: the new app is what is launched")
        func beforeLaunch() throws {
            #expect(
                try Told.story(#"{ at: "10s", do: "strategy", value: "new.lua" }"#).prefix(3) == [
                    "10 strategy new.lua", "3600 new launch 1", "3600 dont_allow after 1",
                ])
        }

        @Test("while a prompt is open: it goes with the process, and the new app asks at its turn")
        func openPrompt() throws {
            let story = try Told.story(#"{ at: "3630s", do: "strategy", value: "new.lua" }"#)
            #expect(
                story.prefix(5) == [
                    "3600 old launch 1", "3600 dont_allow after 1", "3630 unanswered",
                    "3630 strategy new.lua", "7230 new launch 2",
                ], "\(story)")
        }

        @Test("while a task waits and a timer runs: both die, and the saved storage stays")
        func waitingTask() throws {
            let story = try Told.story(#"{ at: "3690s", do: "strategy", value: "new.lua" }"#)
            #expect(!story.contains { $0.contains("old waited") || $0.contains("old timer") })
            #expect(story.contains("7290 new launch 2"), "\(story)")
            #expect(story.contains("7390 new waited"), "\(story)")
        }

        @Test("while the app is suspended: it ends, and its next launch is the new one's")
        func suspended() throws {
            let story = try Told.story(#"{ at: "5000s", do: "strategy", value: "new.lua" }"#)
            #expect(story.contains("3800 old timer"))
            #expect(story.contains("7500 new launch 2"), "\(story)")
        }

        @Test("twice, or with others at one instant: in their order, and the last one plays")
        func twice() throws {
            let story = try Told.story(
                #"""
                { at: "10s", do: "strategy", value: "new.lua" },
                { at: "10s", do: "behavior", value: "kind.lua" },
                { at: "10s", do: "strategy", value: "third.lua" },
                { at: "20s", do: "strategy", value: "new.lua" },
                { at: "20s", do: "strategy", value: "app.lua" }
                """#)
            #expect(
                story.prefix(7) == [
                    "10 strategy new.lua", "10 behavior kind.lua", "10 strategy third.lua",
                    "20 strategy new.lua", "20 strategy app.lua", "3600 old launch 1",
                    "3600 allow_while_using after 1",
                ], "\(story)")
        }

        @Test("does not update an app that is deleted, which comes back as it was")
        func deleted() throws {
            let deletion = #"{ at: "1s", do: "reinstall", value: "1000s" }, "#
            let story = try Told.story(
                deletion + #"{ at: "10s", do: "strategy", value: "new.lua" }"#)
            #expect(story.first == "4601 old launch 1", "\(story)")
            let bundle = try bundle(
                Told.files, days: 1,
                "interventions: [\(deletion) { at: '10s', do: 'strategy', value: 'new.lua' }]")
            #expect(
                try bundle.runner().interventionCounts[0][1] == InterventionReach(ignored: 200))
        }

        @Test("lets an answer stand that is pending; the next is the new behavior's")
        func pendingAnswer() throws {
            let story = try Told.story(#"{ at: "3630s", do: "behavior", value: "kind.lua" }"#)
            #expect(
                story.prefix(5) == [
                    "3600 old launch 1", "3600 dont_allow after 1", "3630 behavior kind.lua",
                    "3660 dontAllow", "3700 old waited",
                ], "\(story)")
            // What the person remembers stays: it has opened the app once.
            let reset = #"{ at: "3700s", do: "reset_location_privacy" }"#
            let later = try Told.story(
                #"{ at: "3630s", do: "behavior", value: "kind.lua" }, \#(reset)"#)
            #expect(later.contains("7500 allow_while_using after 2"), "\(later)")
        }

        @Test("that fails in its hooks fails by its own name, and the device goes on")
        func failing() throws {
            let bad = "return { launched = function() error('no') end }"
            let bundle = try bundle(
                Told.files.merging(["bad.lua": bad]) { $1 }, days: 1,
                "interventions: [{ at: '2h', do: 'strategy', value: 'bad.lua', share: 0.5 }]")
            let runner = try bundle.runner()
            let metrics = runner.figures().arms[0].groups[0]
            let first = try #require(metrics.firstScriptFailure)
            #expect(bundle.scenario.scripts[Int(first.place.script)].name == "bad.lua")
            #expect(first.message.hasPrefix("bad.lua:1: no"))
            #expect(metrics.scriptFailures > 50)
        }

        // MARK: - Figures

        /// Two blocks, two arms, every kind, shares, conditions on options, one instant twice.
        static let everything = #"""
            interventions: [
              { at: "20h", do: "strategy", value: "ask_on_launch.lua", share: 0.5 },
              { at: "20h", do: "behavior", value: "habituated.lua", where: "persona = b", share: 0.7 },
              { at: "21h", do: "options", value: { grant_share: 0.2 }, where: "persona = a" },
              { at: "22h", do: "options", value: { continue_share: 0.9 }, where: "not grant_share > 0.15" },
              { at: "23h", do: "strategy", value: "progressive.lua", options: { upgrade_after_uses: 1 }, share: 0.5 },
              { at: "23h", do: "reboot", where: "continue_share > 0.85" },
            ],
            arms: [{ name: "late", set: { interventions: [{ at: "25h", do: "strategy", value: "always_first.lua" }] } }],
            """#

        @Test("is the same with any workers, in any epochs, and in shards")
        func parts() throws {
            let bundle = try bundle(
                [:], devices: 17_000, days: 2, personas: Self.shipped,
                app: #"strategy: "progressive.lua""#, Self.everything)
            let whole = try bundle.runner()
            let digests = whole.deviceDigests().map { $0.map(\.digest) }
            #expect(whole.interventionCounts[0].allSatisfy { $0.devices > 1_000 })
            for (workers, epoch) in [(2, SimDuration.hours(7)), (7, .minutes(95))] {
                let other = try bundle.runner(workers: workers, epoch: epoch)
                #expect(other.figures().digest == whole.figures().digest, "\(workers) workers")
            }
            let ranges: [Range<UInt32>] = [0..<5, 5..<9_000, 9_000..<16_999, 16_999..<17_000]
            let parts = try ranges.map { try bundle.runner(workers: 2, devices: $0) }
            for arm in 0..<2 {
                let joined = parts.flatMap { $0.deviceDigests()[arm].map(\.digest) }
                #expect((joined == digests[arm]) as Bool)
                for index in whole.interventionCounts[arm].indices {
                    #expect(
                        parts.map { $0.interventionCounts[arm][index].devices }.reduce(0, +)
                            == whole.interventionCounts[arm][index].devices)
                }
            }
        }

        @Test("in one arm leaves its people what they are in the other until then")
        func paired() throws {
            let bundle = try bundle(
                [:], devices: 300, days: 6, personas: Self.shipped,
                app: #"strategy: "progressive.lua""#,
                #"""
                arms: [
                  { name: "late", set: { interventions: [{ at: "3d", do: "strategy", value: "always_first.lua" }] } },
                  { name: "never", set: { interventions: [{ at: "3d", do: "strategy", value: "always_first.lua", where: "arm = late" }] } },
                ],
                """#)
            func digests(days: Int64) throws -> [RecordDigest] {
                let runner = try FleetRunner(
                    bundle.arms, options: FleetRunner.Options(workers: 2))
                _ = runner.run(until: .start + .days(days))
                return runner.figures().arms.map(\.digest)
            }
            let before = try digests(days: 2)
            #expect(before[0] == before[1])
            let after = try digests(days: 6)
            #expect(after[0] != after[1])
            #expect(after[0] == after[2], "whom its condition does not mean, it leaves alone")
        }

        @Test("brings its own counters and assumptions into the report")
        func report() throws {
            let counting = """
                return {
                  options = { pace = { default = 3, about = "how fast" } },
                  next_open = function(self, person)
                    metric.count("new openings")
                    return 3600 * person.options.pace
                  end,
                  answer_prompt = function() return "dont_allow" end,
                }
                """
            let bundle = try bundle(
                Told.files.merging(["count.lua": counting]) { $1 }, days: 1,
                "interventions: [{ at: '2h', do: 'behavior', value: 'count.lua' }]")
            let page = try bundle.runner().figures().page(of: bundle)
            #expect(page.contains("new openings"))
            #expect(
                page.contains(#"{ "script": "count.lua", "option": "pace", "value": 3 }"#),
                "\(page)")
        }
    }
}
