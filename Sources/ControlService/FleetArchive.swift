import Bundles
import ControlProtocol
import DaemonRuntime
import Reports
import Shards
import SimPrimitives
import Simulation
import StateStore

/// Keeps a fleet in its file, in the words of the daemon.
struct FleetArchive: FleetKeeper {
    let file: FleetFile
    let bundle: Bundles.Bundle

    var isThere: Bool { file.isInPlace }

    func keep(_ mark: FleetMark, isDurable: Bool) throws(ControlError) {
        try told { () throws(StateError) in
            try file.keep(FleetFile.Mark(mark), isDurable: isDurable)
        }
    }

    func append(
        _ requests: [InterventionRequest], at: SimTime, from number: Int
    ) throws(ControlError) {
        let entries = requests.map { FleetFile.Entry(at: at.microseconds, request: $0.text) }
        let blobs = requests.reduce(into: [:]) { all, request in
            all.merge(request.blobs) { first, _ in first }
        }
        try told { () throws(StateError) in
            try file.append(entries, from: number, blobs: blobs)
        }
    }

    func keep(_ mark: FleetMark, result: FleetStatus) throws(ControlError) {
        let figures: [UInt8]
        do throws(ShardError) {
            figures = try StoredFigures.bytes(result.figures, of: bundle)
        } catch { throw ControlError(.stateError, error.message) }
        let kept = FleetFile.Result(
            endedBy: result.end.map { $0.endedBy?.rawValue } ?? EndedBy.stopped.rawValue,
            error: result.end?.complaint, figures: figures,
            standings: Standings.bytes(result.standings))
        try told { () throws(StateError) in try file.keep(FleetFile.Mark(mark), kept) }
        file.close()
    }

    private func told(_ body: () throws(StateError) -> Void) throws(ControlError) {
        do throws(StateError) { try body() } catch { throw ControlError(error) }
    }
}

extension ControlError {
    init(_ error: StateError) {
        self.init(error.code == .closed ? .wrongState : .stateError, error.message)
    }
}

extension FleetFile.Mark {
    init(_ mark: FleetMark) {
        self.init(
            state: mark.state.rawValue, rate: mark.rate.description, at: mark.at.microseconds,
            digest: mark.digest?.description, goal: mark.goal)
    }
}

extension FleetFile.Entry {
    init(_ request: InterventionRequest) {
        self.init(at: request.intervention.at.microseconds, request: request.text)
    }
}

/// How devices stood, four bytes each, arm after arm.
enum Standings {
    static func bytes(_ standings: [[DeviceStanding]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * standings.reduce(0) { $0 + $1.count })
        for standing in standings.joined() {
            let word = standing.word
            for shift in [0, 8, 16, 24] as [UInt32] {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    /// Nil where they are not those of so many arms and devices.
    static func standings(_ bytes: [UInt8], arms: Int, devices: Int) -> [[DeviceStanding]]? {
        guard bytes.count == 4 * arms * devices else { return nil }
        var standings: [[DeviceStanding]] = []
        for arm in 0..<arms {
            let ofArm = (0..<devices).compactMap { device -> DeviceStanding? in
                let place = 4 * (arm * devices + device)
                let word = (0..<4).reduce(UInt32(0)) {
                    $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1)
                }
                return DeviceStanding(word: word)
            }
            guard ofArm.count == devices else { return nil }
            standings.append(ofArm)
        }
        return standings
    }
}
