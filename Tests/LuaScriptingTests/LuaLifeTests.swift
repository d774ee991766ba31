import LuaScripting
import SimPrimitives
import Simulation
import TestSupport
import Testing

/// Lua strategies in whole lives of devices.
@Suite("A fleet with a Lua strategy")
struct LuaLifeTests {
    /// What the strategy printed, and the block at the end of its days.
    private func live(
        _ strategy: String, devices: UInt32 = 1, ios: String = "18.5", days: Int64 = 2,
        keepsRecords: Bool = false
    ) throws -> (printed: [String], block: Block) {
        let behavior = """
            return {
              next_open = function() return 3600 end,
              next_tap = function(self, person, features) return features[1], 20 end,
              answer_prompt = function(self, prompt) return prompt.choices[1] end,
            }
            """
        let scenario = scenario(
            devices: devices, days: days, ios: ios, behavior: behavior, strategy: strategy)
        let names = Block.startingNames(of: scenario)
        var printed: [String] = []
        let scripts = try LuaScripts(
            scenario: scenario, names: names, limits: ScriptLimits(),
            onPrint: { printed.append($0) })
        let block = Block(
            devices: 0..<devices, of: scenario, names: names, behaviors: scripts.behaviors,
            strategy: scripts.strategy, keepsRecords: keepsRecords)
        block.run(until: .start + scenario.duration)
        return (printed, block)
    }

    /// Each process makes a manager of the same name: it would fail if another's were in sight.
    private static let everything = """
        return {
          launched = function(self, app)
            if app.managers.fences or app.monitor or app.live_updates then error("not mine") end
            local fences = CLLocationManager("fences")
            fences.desiredAccuracy = "kCLLocationAccuracyKilometer"
            fences:requestAlwaysAuthorization()
            if app.available("18.0") then
              if app.service_sessions.always then error("not mine either") end
              CLServiceSession { authorization = "always" }
            end
            if app.available("17.0") then
              CLMonitor("places"):add {
                identifier = "home", latitude = 1, longitude = 2, radius = 100 }
              CLLocationUpdate.liveUpdates()
            end
          end,
          locationManagerDidChangeAuthorization = function(self, manager)
            local key = manager.identifier
            self[key] = (self[key] or 0) + 1
            if manager == app.managers.fences then manager:requestLocation() end
          end,
          didUpdateLocations = function(self, manager, locations)
            if manager ~= app.managers.fences or locations[1].horizontalAccuracy ~= 1000 then
              error("not what it asked for")
            end
          end,
          didReceiveLiveUpdate = function(self, update)
            if update.location then self.updates = (self.updates or 0) + 1 end
          end,
          tapped = function(self, app)
            print(self.main == self.fences, (self.updates or 0) > 0, app.monitor and app.monitor.name)
          end,
        }
        """

    @Test(
        "keeps what one device's process holds from all others",
        arguments: ["16.7", "17.6", "18.5"])
    func leaks(_ ios: String) throws {
        let (printed, block) = try live(Self.everything, devices: 20, ios: ios)
        #expect(block.scriptFailureCount == 0)
        #expect(block.metrics(isFinal: true)[0].firstScriptFailure == nil)
        let last = ios == "16.7" ? "true\tfalse\tnil" : "true\ttrue\tplaces"
        #expect(printed.last == last)
        #expect(!printed.contains { $0.hasPrefix("false") })
    }

    @Test("is the same fleet however its time is cut")
    func epochs() throws {
        func digest(_ steps: Int) throws -> String {
            let scenario = scenario(devices: 5, days: 1, ios: "18.5", strategy: Self.everything)
            let names = Block.startingNames(of: scenario)
            let scripts = try LuaScripts(
                scenario: scenario, names: names, limits: ScriptLimits(), onPrint: { _ in })
            let block = Block(
                devices: 0..<5, of: scenario, names: names, behaviors: scripts.behaviors,
                strategy: scripts.strategy)
            for step in 1...steps {
                block.run(
                    until: .start + .seconds(86_400 * Int64(step) / Int64(steps)))
            }
            return block.digest.description
        }
        #expect(try digest(1) == digest(240))
    }

    @Test("comes to the same as it did with a manager that does nothing beside its own")
    func bystander() throws {
        func digest(_ launched: String) throws -> String {
            try live(
                """
                return {
                  launched = function(self, app) \(launched) end,
                  tapped = function(self, app)
                    app.manager:requestWhenInUseAuthorization()
                    app.manager:requestLocation()
                  end,
                  didUpdateLocations = function(self, manager)
                    app:feature_done("map", manager.identifier)
                  end,
                }
                """, devices: 5
            ).block.digest.description
        }
        #expect(try digest("") == digest("CLLocationManager()"))
    }
}
