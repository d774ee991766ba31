import AuthorizationCore
import DeviceCore
import Metrics
import SimPrimitives
import Simulation

/// A scenario of one persona and one feature, every part defaulted: a test sets what it is about.
public func scenario(
    devices: UInt32 = 1, days: Int64 = 30, seed: UInt64 = 1, ios: String = "17.6",
    capabilities: AppCapabilities = .everything, features: [String] = ["map"],
    rules: SystemRules = SystemRules(), delays: SystemDelays = .exact,
    funnels: [FunnelDefinition] = [.builtIn],
    behavior: String = "return { answer_prompt = function() return 'dont_allow' end }",
    strategy: String = "return {}"
) -> Scenario {
    Scenario(
        name: "test", seed: seed, deviceCount: devices, duration: .days(days), zone: .utc,
        iosMix: [Weighted(IOSVersion(ios)!, weight: 1)],  // Tests name versions that exist.
        personas: [Scenario.Persona(name: "everyone", weight: 1, behavior: 0, options: [])],
        app: Scenario.App(
            name: "App", capabilities: capabilities,
            usageTexts: ["", "Shows the stores around you.", "Tells you when you arrive."],
            strategy: 1, options: []),
        features: features, rules: rules, delays: delays, funnels: funnels,
        scripts: [
            ScriptSource(name: "behavior.lua", text: behavior),
            ScriptSource(name: "strategy.lua", text: strategy),
        ],
        scriptFailuresMax: nil)
}

extension AppCapabilities {
    /// Every text and the background mode.
    public static var everything: AppCapabilities {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        capabilities.hasAlwaysText = true
        capabilities.hasLegacyAlwaysText = true
        capabilities.hasLocationBackgroundMode = true
        return capabilities
    }

    public static var whenInUseOnly: AppCapabilities {
        var capabilities = AppCapabilities()
        capabilities.hasWhenInUseText = true
        return capabilities
    }
}

extension SystemDelays {
    /// Positions never fail, and nobody is moved about.
    public static var exact: SystemDelays {
        var delays = SystemDelays()
        delays.positionFailureShare = 0
        delays.significantChangesPerDay = 0
        return delays
    }
}
