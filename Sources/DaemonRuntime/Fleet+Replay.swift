import ControlProtocol
import LuaScripting
import SimPrimitives
import Simulation

extension Fleet {
    /// Replays are work for people who look at single devices: one at a time.
    private static let replays = BackgroundQueue("replays")

    /// Plays one device alone, up to the fleet's last border, and hands over what happened to it.
    ///
    /// - Parameters:
    ///   - device: one of the fleet's.
    ///   - arm: the index of the arm in which.
    ///   - status: as of which border, where that is not the last one.
    ///   - take: called on a queue of its own, with the names that the records use and what
    ///     the device's scripts have said.
    ///   - fail: called instead where the device cannot be played.
    public func replay(
        device: UInt32, arm: Int, as status: FleetStatus? = nil,
        _ take:
            @escaping @Sendable ([Record], NameTable, ScriptSpeech) -> Void,
        orFail fail: @escaping @Sendable (ControlError) -> Void
    ) {
        let status = status ?? self.status
        Self.replays.async { [self] in
            do throws(ScriptError) {
                let runner = try FleetRunner(
                    [arms[arm]],
                    options: FleetRunner.Options(
                        workers: 1, devices: device..<device + 1, keepsRecords: true,
                        listens: true),
                    arm: arm,
                    journal: status.journal)
                if case .failed(let failure) = runner.run(until: status.figures.at) {
                    return fail(
                        ControlError(
                            .scriptError, "\(failure.code.rawValue): \(failure.detail)"))
                }
                let (records, names) = runner.takeRecords()
                take(records, names, runner.speech)
            } catch { fail(ControlError(.scriptError, "\(error)")) }
        }
    }
}
