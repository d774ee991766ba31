import ControlProtocol
import DaemonRuntime
import JSONText
import StateStore

/// How fleets go: those that are there, and those that are kept and cannot be.
extension FleetService {
    func delete(_ name: String, _ reply: @escaping Answer) throws(ControlError) {
        if try deleteRefused(name) { return reply(.success(Self.deleted(name))) }
        let hosted = try hosted(name)
        // The name is taken until all of it is gone: whoever deletes at the same time would take
        // away the next fleet of that name.
        let isMine = fleets.withLock { fleets in
            guard case .made(let there)? = fleets[name], there.fleet === hosted.fleet else {
                return false
            }
            fleets[name] = .deleting
            return true
        }
        guard isMine else { throw Self.isDeleted(name) }
        do throws(StateError) { try hosted.file?.remove() } catch {
            settle(name, hosted)
            throw ControlError(error)
        }
        settle(name, nil)
        hosted.fleet.discard {
            reply(.success(Self.deleted(name)))
            Self.making.async { Machine.returnFreedMemory() }
        }
    }

    private static func deleted(_ name: String) -> String {
        JSONLine.object {
            $0.member("fleet", name)
            $0.member("deleted", true)
        }
    }

    /// Whether there was a fleet of that name that is not taken up. Its name is taken until it is
    /// gone.
    private func deleteRefused(_ name: String) throws(ControlError) -> Bool {
        guard let state, let refused = refused(name) else { return false }
        let isMine = fleets.withLock { fleets in
            guard fleets[name] == nil else { return false }
            fleets[name] = .deleting
            return true
        }
        guard isMine else { throw Self.isDeleted(name) }
        defer { settle(name, nil) }
        refusedFleets.withLock { $0.removeAll { $0.fleet == name } }
        do throws(StateError) { try state.remove(name) } catch {
            refuse(refused)
            throw ControlError(error)
        }
        return true
    }
}
