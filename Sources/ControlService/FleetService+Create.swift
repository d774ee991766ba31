import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import LuaScripting
import Reports
import SimPrimitives
import Simulation
import StateStore

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
                let bundle = try self.bundle(manifest) { self.blobs[$0] }
                let hosted = try begin(
                    FleetPlan(name: name, bundle: bundle, by: by, rate: rate),
                    FleetPast(state: isPaused ? .ready : .running))
                settle(name, hosted)
                follow(name, hosted.fleet)
                hosted.fleet.goOn()
                let state: FleetState = isPaused ? .ready : .running
                reply(
                    .success(
                        JSONLine.object {
                            $0.member("fleet", name)
                            $0.member("state", state.rawValue)
                            $0.member("digest", nil as String?)
                        }))
            } catch {
                settle(name, nil)
                reply(.failure(error))
            }
        }
    }

    func bundle(
        _ manifest: [UInt8], _ blob: (String) -> [UInt8]?
    ) throws(ControlError) -> Bundles.Bundle {
        do throws(BundleError) {
            return try reader.read(manifest: manifest, blob: blob)
        } catch {
            let code: ControlError.Code =
                error.code == .missingFile ? .noSuchBlob : .invalidBundle
            throw ControlError(code, "\(error)", parameter: "bundle")
        }
    }

    /// Makes a fleet, and keeps it where there is a place for that.
    func begin(
        _ plan: FleetPlan, _ past: FleetPast
    ) throws(ControlError) -> HostedFleet {
        var file: FleetFile?
        if let state {
            var blobs: [String: [UInt8]] = [:]
            for request in past.requests { blobs.merge(request.blobs) { first, _ in first } }
            for blob in plan.bundle.blobs { blobs[blob.sha256] = blob.bytes }
            blobs[plan.bundle.sha256] = Array(plan.bundle.manifest.utf8)
            do throws(StateError) {
                file = try FleetFile(
                    in: state,
                    FleetFile.Head(
                        name: plan.name, bundle: plan.bundle.sha256, by: plan.by.map(\.rawValue),
                        locfleet: Report.productVersion),
                    FleetFile.Mark(
                        FleetMark(
                            state: past.state, rate: plan.rate, at: past.until,
                            digest: past.digest)),
                    blobs: blobs, journal: past.requests.map(FleetFile.Entry.init))
            } catch { throw ControlError(error) }
        }
        do throws(ControlError) { return try make(plan, file, past) } catch {
            try? file?.remove()
            throw error
        }
    }

    /// Makes a fleet that is kept already.
    func make(
        _ plan: FleetPlan, _ file: FleetFile?, _ past: FleetPast
    ) throws(ControlError) -> HostedFleet {
        if let lack = Machine.lackOfMemory(for: plan.bundle.arms) {
            throw ControlError(.outOfMemory, lack)
        }
        do throws(ScriptError) {
            let fleet = try Fleet(
                name: plan.name, arms: plan.bundle.arms, groups: plan.groups, rate: plan.rate,
                pool: pool, keeper: file.map { FleetArchive(file: $0, bundle: plan.bundle) },
                past: past)
            return plan.hosted(fleet, file)
        } catch { throw ControlError(.scriptError, "\(error)") }
    }

    func intervene(
        _ name: String, _ words: InterventionWords, _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(name)
        let blobs = words.sha256.flatMap { hash in self.blobs[hash].map { [hash: $0] } } ?? [:]
        let intervention: Intervention
        do throws(BundleError) {
            intervention = try hosted.bundle.intervention(
                words, after: hosted.fleet.status.journal, from: reader.scripts { blobs[$0] })
        } catch {
            if error.code == .script { throw ControlError(.scriptError, "\(error)") }
            if error.code == .missingFile {
                throw ControlError(.noSuchBlob, error.message, parameter: error.key)
            }
            let parameter = error.key.isEmpty ? error.place : error.key
            throw ControlError(
                .invalidParameter, "\"\(parameter)\": \(error.message)", parameter: parameter)
        }
        let names = hosted.bundle.arms.map(\.name)
        hosted.fleet.intervene(InterventionRequest(intervention, text: words.text, blobs: blobs)) {
            result in
            reply(
                result.map { effect in
                    JSONLine.object {
                        $0.member("at_seconds", (effect.at - .start).seconds)
                        let reach = effect.reach.reduce(InterventionReach(), +)
                        $0.member("devices", reach.devices)
                        $0.member("journal", effect.entry)
                        $0.member("ignored", reach.ignored)
                        if names.count > 1 {
                            $0.member("arms", zip(names, effect.reach.map(\.devices)))
                        }
                    }
                })
        }
    }
}

extension ControlRequest.Value {
    var requested: Bundles.Bundle.RequestedValue {
        switch self {
        case .string(let text): .string(text)
        case .number(let number): .number(number)
        case .bool(let bool): .bool(bool)
        case .null: .null
        case .object(let members):
            .object(members.map { .init($0.name, $0.value.requested) })
        }
    }
}
