import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import LuaScripting
import Reports
import SimPrimitives
import Simulation

extension FleetService {
    /// Fleets are made one at a time, and nobody else waits for that.
    static let making = BackgroundQueue("making")

    func create(
        _ name: String, _ hash: String, isPaused: Bool, _ rate: FleetRate,
        _ by: [ControlRequest.Grouping], _ reply: @escaping Answer
    ) throws(ControlError) {
        guard let manifest = blobs[hash] else {
            throw ControlError(
                .noSuchBlob, "the bundle \(hash) has not been sent; send it with blob.put",
                parameter: "bundle")
        }
        try reserve(name)
        Self.making.async { [self] in
            do throws(ControlError) {
                let hosted = try make(name, manifest, rate, by)
                settle(name, hosted)
                let state: FleetState = isPaused ? .ready : .running
                let answer: Fleet.Reply = { _ in
                    let text = JSONLine.object {
                        $0.member("fleet", name)
                        $0.member("state", state.rawValue)
                        $0.member("digest", nil as String?)
                    }
                    reply(.success(text))
                }
                if isPaused { answer(.success(.ready)) } else { hosted.fleet.start(answer) }
            } catch {
                settle(name, nil)
                reply(.failure(error))
            }
        }
    }

    private func make(
        _ name: String, _ manifest: [UInt8], _ rate: FleetRate, _ by: [ControlRequest.Grouping]
    ) throws(ControlError) -> HostedFleet {
        let bundle: Bundles.Bundle
        do throws(BundleError) {
            bundle = try reader.read(manifest: manifest) { self.blobs[$0] }
        } catch {
            let code: ControlError.Code =
                error.code == .missingFile ? .noSuchBlob : .invalidBundle
            throw ControlError(code, "\(error)", parameter: "bundle")
        }
        if let lack = Machine.lackOfMemory(for: bundle.arms) {
            throw ControlError(.outOfMemory, lack)
        }
        let scenario = bundle.scenario
        let groups =
            by.isEmpty
            ? Groups.one
            : Groups(
                of: scenario, byPersona: by.contains(.persona), byIOS: by.contains(.ios))
        do throws(ScriptError) {
            let fleet = try Fleet(
                name: name, arms: bundle.arms, groups: groups, rate: rate, pool: pool)
            return HostedFleet(
                bundle: bundle, fleet: fleet,
                groupLabels: ReportGroup.labels(
                    of: groups, by: by.map(\.rawValue), in: scenario))
        } catch { throw ControlError(.scriptError, "\(error)") }
    }

    func intervene(
        _ name: String, _ condition: String?, _ share: Double, _ word: String,
        _ value: ControlRequest.Value?, _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(name)
        let intervention: Intervention
        do throws(BundleError) {
            intervention = try hosted.bundle.intervention(
                where: condition, share: share, do: word, value: value?.requested)
        } catch {
            let parameter = error.key.isEmpty ? error.place : error.key
            throw ControlError(
                .invalidParameter, "\"\(parameter)\": \(error.message)", parameter: parameter)
        }
        let names = hosted.bundle.arms.map(\.name)
        hosted.fleet.intervene(intervention) { result in
            reply(
                result.map { effect in
                    JSONLine.object {
                        $0.member("at_seconds", (effect.at - .start).seconds)
                        // The same people in every arm: those of the arm with most of them.
                        let most = effect.reach.max { $0.devices < $1.devices }
                        $0.member("devices", most?.devices ?? 0)
                        $0.member("journal", effect.entry)
                        $0.member("ignored", most?.ignored ?? 0)
                        if names.count > 1 {
                            $0.member("arms", zip(names, effect.reach.map(\.devices)))
                        }
                    }
                })
        }
    }
}

extension ControlRequest.Value {
    fileprivate var requested: Bundles.Bundle.RequestedValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .bool(let bool): .bool(bool)
        case .null: .null
        }
    }
}
