import Bundles
import JSONText
import SimPrimitives
import Simulation

/// What a fleet has come to, as bytes: exact, and with all that a report is made of.
public enum StoredFigures {
    public static func bytes(
        _ figures: FleetFigures, of bundle: Bundle
    ) throws(ShardError) -> [UInt8] {
        var (figures, archive) = (figures, Archive())
        var at = figures.at.microseconds
        try archive.number("us", &at, max: .max)
        var acted = figures.arms.map { UInt64($0.interventions.count) }
        try archive.numbers("acted", &acted)
        var reaches = figures.journal.map(\.reach)
        try archive.list("journal", &reaches) { (archive, arms) throws(ShardError) in
            try archive.reaches(&arms)
        }
        try archive.object("figures") { (archive) throws(ShardError) in
            try figures.archive(&archive, arms(of: bundle, figures.journal.map(\.intervention)))
        }
        return Array("{\(archive.written.joined(separator: ",\n"))}\n".utf8)
    }

    /// - Parameters:
    ///   - groupCount: how many groups the fleet's split makes.
    ///   - journal: of the fleet.
    public static func figures(
        _ bytes: [UInt8], of bundle: Bundle, groupCount: Int, journal: [Intervention]
    ) throws(ShardError) -> FleetFigures {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONReader.read(bytes, as: .json, bytesMax: ShardPart.bytesMax)
        } catch { throw ShardError("\(error.position): \(error.message)") }
        var archive = Archive(root, countMax: 1 << 57)
        var at: Int64 = 0
        try archive.number("us", &at, max: .max)
        var figures = FleetFigures(
            of: bundle.arms, groupCount: groupCount)
        figures.at = SimTime(microseconds: at)
        var acted = figures.arms.map { _ in UInt64(0) }
        try archive.numbers("acted", &acted)
        for (arm, count) in acted.enumerated() {
            guard count <= bundle.arms[arm].scenario.interventions.count else {
                throw archive.wrong("acted", "\(count) is more than arm \(arm) has")
            }
            figures.arms[arm].interventions = (0..<count).map { _ in InterventionReach() }
        }
        let count = root["journal"]?.array?.count ?? 0
        var reaches = (0..<min(count, journal.count)).map { _ in
            bundle.arms.map { _ in InterventionReach() }
        }
        try archive.list("journal", &reaches) { (archive, arms) throws(ShardError) in
            try archive.reaches(&arms)
        }
        try archive.object("figures") { (archive) throws(ShardError) in
            try figures.archive(&archive, arms(of: bundle, journal))
        }
        figures.journal = zip(journal, reaches).map { ($0, $1) }
        figures.judge(bundle.arms)
        return figures
    }
}

/// With the scripts that clients have brought.
private func arms(of bundle: Bundle, _ journal: [Intervention]) -> [Arm] {
    bundle.arms.map { arm in
        var arm = arm
        arm.scenario.take(journal)
        return arm
    }
}

extension Archive {
    fileprivate mutating func reaches(_ arms: inout [InterventionReach]) throws(ShardError) {
        try list("arms", &arms) { (archive, reach) throws(ShardError) in
            try archive.number("devices", &reach.devices)
            try archive.number("ignored", &reach.ignored)
        }
    }
}
