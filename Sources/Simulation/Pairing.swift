import Metrics

/// How the devices of one group fared in an arm and in the base, each device against itself.
public struct Pairing: Sendable {
    /// By funnel, then by step: who reached it. First is the arm, second the base.
    public var funnels: [[PairedCounts]]
    /// Whose visible status is authorized at the end, or so far.
    public var authorized = PairedCounts()
    public var authorizedAlways = PairedCounts()

    public init(funnels: [FunnelDefinition]) {
        self.funnels = funnels.map {
            [PairedCounts](repeating: PairedCounts(), count: $0.steps.count)
        }
    }

    public mutating func merge(_ other: Pairing) {
        for funnel in funnels.indices {
            for step in funnels[funnel].indices {
                funnels[funnel][step].merge(other.funnels[funnel][step])
            }
        }
        authorized.merge(other.authorized)
        authorizedAlways.merge(other.authorizedAlways)
    }
}

extension Block {
    /// This arm's devices against the same devices of the base, a figure a group.
    ///
    /// - Precondition: both have the same devices, groups and funnels, at the same instant.
    public func paired(with base: Block) -> [Pairing] {
        precondition(deviceCount == base.deviceCount && now == base.now, "arms go side by side")
        var result = [Pairing](
            repeating: Pairing(funnels: runner.scenario.funnels), count: runner.tallies.count)
        let funnels = runner.funnels.count
        for index in devices.indices {
            let (mine, theirs) = (devices[index], base.devices[index])
            let group = Int(mine.group)
            for funnel in 0..<funnels {
                let place = index * funnels + funnel
                let reached = (
                    runner.progress[place].reached, base.runner.progress[place].reached
                )
                for step in result[group].funnels[funnel].indices {
                    result[group].funnels[funnel][step].count(
                        first: step < reached.0, second: step < reached.1)
                }
            }
            result[group].authorized.count(
                first: mine.isInstalled && mine.visible.isAuthorized,
                second: theirs.isInstalled && theirs.visible.isAuthorized)
            result[group].authorizedAlways.count(
                first: mine.isInstalled && mine.visible == .authorizedAlways,
                second: theirs.isInstalled && theirs.visible == .authorizedAlways)
        }
        return result
    }
}
