import LuaScripting
import Simulation

extension FleetRunner {
    /// Each block has its own Lua state, so making them is work worth sharing.
    static func makeBlocks(
        _ arms: [Arm], from first: Int, _ options: Options, journal: [Intervention]
    ) throws(ScriptError) -> [[Block]] {
        let devices = options.devices ?? 0..<arms[0].scenario.deviceCount
        let size = Block.deviceCountMax
        let ranges = stride(from: devices.lowerBound, to: devices.upperBound, by: Int(size)).map {
            $0..<min($0 + size, devices.upperBound)
        }
        var blocks: [[Block]] = []
        for (index, arm) in arms.enumerated() {
            blocks.append(try makeBlocks(ranges, arm.scenario, first + index, options, journal))
        }
        return blocks
    }

    private static func makeBlocks(
        _ ranges: [Range<UInt32>], _ scenario: Scenario, _ arm: Int, _ options: Options,
        _ journal: [Intervention]
    ) throws(ScriptError) -> [Block] {
        // Loads once on this thread first, so that a script's error is found without a fleet.
        var blocks = [Block?](repeating: nil, count: ranges.count)
        blocks[0] = try block(ranges[0], scenario, arm, options, journal)
        // Safe: each iteration writes one element of its own, and reads what nobody writes.
        blocks.withUnsafeMutableBufferPointer { buffer in
            nonisolated(unsafe) let places = buffer
            perform(ranges.count - 1, workers: options.workers) { index in
                places[index + 1] = try? block(
                    ranges[index + 1], scenario, arm, options, journal)
            }
        }
        guard !blocks.contains(where: { $0 == nil }) else {
            throw ScriptError(
                .outOfMemory, script: scenario.scripts[0].name,
                reason: "no room for another Lua state")
        }
        return blocks.compactMap { $0 }
    }

    private static func block(
        _ range: Range<UInt32>, _ scenario: Scenario, _ arm: Int, _ options: Options,
        _ journal: [Intervention]
    ) throws(ScriptError) -> Block {
        let names = Block.startingNames(of: scenario)
        let listener = options.listens ? ScriptListener() : nil
        let players: Players
        var casting: (any Casting)?
        if let make = options.players {
            players = make(scenario)
        } else {
            let scripts = try LuaScripts(
                scenario: scenario, journal: journal, names: names, listener: listener)
            players = Players(behaviors: scripts.behaviors, strategy: scripts.strategy)
            casting = scripts
        }
        return Block(
            devices: range, of: scenario, names: names, behaviors: players.behaviors,
            strategy: players.strategy, arm: arm, groups: options.groups,
            keepsRecords: options.keepsRecords, listener: listener,
            witness: options.profile?.makeCell(arm: arm), casting: casting)
    }
}
