import Bundles
import SimPrimitives
import Simulation
import TestSupport
import Testing

@testable import DaemonRuntime

extension DaemonSuite {
    @Suite("A behavior that takes the place of another")
    struct ReplacedDaysTests {
        @Test("ends the days of a behavior that has some, and begins those of one that has")
        func days() throws {
            let files = [
                "app.lua": "return {}",
                "days.lua": """
                return { answer_prompt = function() return "dont_allow" end,
                         each_day = function() metric.count("days") end }
                """,
                "plain.lua": #"return { answer_prompt = function() return "dont_allow" end }"#,
            ]
            /// Days that were counted, of each device.
            func counted(_ first: String, _ then: String) throws -> Double {
                let bundle = try bundle(
                    files, days: 10, personas: "[{ name: 'all', behavior: '\(first)' }]",
                    "interventions: [{ at: '60h', do: 'behavior', value: '\(then)' }]")
                let metrics = try bundle.runner().figures().arms[0].groups[0]
                #expect(metrics.scriptFailures == 0)
                return Double(metrics.counters["days"] ?? 0) / 200
            }
            let before = try counted("days.lua", "plain.lua")
            #expect(2...3 ~= before)
            let after = try counted("plain.lua", "days.lua")
            #expect(7...8 ~= after)
            #expect(try counted("days.lua", "days.lua") == 10)
        }
    }
}
