import LuaScripting
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// Whole devices whose scripts set timers, through blocks as a run has them.
@Suite("A run with timers")
struct TimerRunTests {
    private static let strategy = """
        return {
          launched = function(self, app)
            app:every("7m", function(self, app)
              metric.count("beats")
              if rng.chance(0.05) then error("a beat that fails") end
            end)
            app:start(function(self, app)
              for i = 1, 4 do
                wait(rng.exponential(40))
                metric.observe("pause", app.sessions - i)
              end
              app:milestone("told")
            end)
          end,
          entered_background = function(self, app)
            app:after(3, function(self, app) funnel.step("left") end)
            app:after(600, function(self, app) funnel.step("back") end)
          end,
        }
        """
    private static let behavior = """
        return {
          next_open = function() return rng.exponential(7200) end,
          each_day = function()
            if rng.chance(0.3) then phone.force_quit() end
            if rng.chance(0.1) then phone.reinstall("1h") end
          end,
          answer_prompt = function() return "dont_allow" end,
        }
        """

    private func block(_ devices: Range<UInt32>) throws -> Block {
        let scenario = scenario(
            devices: devices.upperBound, days: 4, behavior: Self.behavior, strategy: Self.strategy)
        let names = Block.startingNames(of: scenario)
        let scripts = try LuaScripts(scenario: scenario, names: names)
        return Block(
            devices: devices, of: scenario, names: names, behaviors: scripts.behaviors,
            strategy: scripts.strategy, keepsRecords: true)
    }

    private func end(_ block: Block, epoch: SimDuration, isHalted: Bool = false) -> [String] {
        var limit = SimTime.start
        while limit < .start + .days(4) {
            limit = min(limit + epoch, .start + .days(4))
            while !block.run(until: limit, isHalted: { isHalted }) {}
        }
        #expect(block.failure == nil)
        let metrics = block.metrics(isFinal: true)[0]
        let values = metrics.histograms["pause"]
        return [
            block.digest.description, "\(metrics.counters["beats"] ?? 0) beats",
            "\(metrics.milestones.sorted { $0.key < $1.key })", "\(metrics.scriptFailures)",
            "\(values?.count ?? 0) \(values?.mean ?? .nan) \(values?.quantile(0.9) ?? .nan)",
        ]
    }

    @Test("is the same in one epoch and in many, halted between devices or not")
    func epochs() throws {
        let whole = end(try block(0..<60), epoch: .days(4))
        #expect(end(try block(0..<60), epoch: .seconds(617)) == whole)
        #expect(end(try block(0..<60), epoch: .days(1), isHalted: true) == whole)
        #expect(!whole[1].hasPrefix("0 ") && whole[3] != "0")
        for step in ["told", "left", "back"] { #expect(whole[2].contains(step)) }
    }

    @Test("is each device's own, whoever shares its state")
    func neighbors() throws {
        let together = try block(0..<40)
        _ = end(together, epoch: .days(1))
        let records = together.takeRecords()
        for device in [UInt32(0), 17, 39] {
            let alone = try block(device..<device + 1)
            _ = end(alone, epoch: .days(4))
            let (mine, theirs) = (
                alone.takeRecords(), records.filter { $0.device == DeviceID(device) }
            )
            #expect(mine.map(\.key) == theirs.map(\.key))
            #expect(alone.metrics(isFinal: true)[0].counters["beats"] ?? 0 > 0)
        }
    }
}
