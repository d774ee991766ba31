import AuthorizationCore
import Bundles
import ControlProtocol
import DaemonRuntime
import JSONText
import Reports
import SimPrimitives
import Simulation
import Telemetry

/// What clients may look at. Everything is as of the last border.
extension FleetService {
    func funnel(_ name: String, _ hosted: HostedFleet, _ view: ControlRequest.View) -> String {
        let status = hosted.fleet.status
        let report = hosted.report(of: status)
        switch view.format {
        case .json: return report.funnelLine(of: name, state: status.state.rawValue)
        case .text:
            return text(name, status, report.funnelText(isColored: view.color, width: view.width))
        }
    }

    func metrics(_ name: String, _ hosted: HostedFleet, _ view: ControlRequest.View) -> String {
        let status = hosted.fleet.status
        let resident = Machine.residentBytes
        let report = hosted.report(
            of: status,
            machine: MachineFacts(
                workers: pool.workers, wallSeconds: status.busySeconds, residentBytes: resident,
                bytesPerDevice: status.figures.stateBytes
                    / UInt64(hosted.deviceCount * hosted.bundle.arms.count)))
        switch view.format {
        case .json: return report.line(of: name, state: status.state.rawValue)
        case .text:
            return text(
                name, status, report.text(isColored: view.color, width: view.width),
                verdict: status.thresholdsMet)
        }
    }

    /// - Parameter verdict: whether the thresholds are met, where there are any.
    func text(
        _ name: String, _ status: FleetStatus, _ text: String, verdict: Bool? = nil
    ) -> String {
        JSONLine.object {
            $0.member("fleet", name)
            $0.member("state", status.state.rawValue)
            if let verdict { $0.member("thresholds_met", verdict) }
            $0.member("at_seconds", (status.figures.at - .start).seconds)
            $0.member("text", text)
        }
    }

    // MARK: - Devices

    func devices(
        of name: String, _ condition: String?, _ limit: Int, _ after: UInt32?
    ) throws(ControlError) -> String {
        let hosted = try hosted(name)
        let meant = try Self.condition(condition, hosted)
        let status = hosted.fleet.status
        let scenario = hosted.bundle.scenario
        let (traits, day) = (TraitTable(scenario), scenario.zone.day(at: status.figures.at))
        let asksForPersona = meant.asksForPersona
        let first = after.map { Int($0) + 1 } ?? 0
        var (rows, listed, last): ([String], Int, Int) = ([], 0, 0)
        var hasMore = false
        let (standings, casts) = (status.standings, status.casts)
        let count = standings.first?.count ?? 0
        for number in min(first, count)..<count {
            let persona = asksForPersona ? traits.persona(of: UInt32(number)) : 0
            func isMeant(_ arm: Int) -> Bool {
                meant.holds(
                    UInt32(number), standings[arm][number], persona: persona, arm: arm, day: day,
                    casts: casts[arm])
            }
            // Most are not meant, and of a large fleet there are a million.
            guard standings.indices.contains(where: isMeant) else { continue }
            let arms = standings.indices.filter(isMeant)
            // A page has whole devices: all their arms, so that the next begins with another.
            hasMore = listed == limit
            if hasMore { break }
            (listed, last) = (listed + 1, number)
            rows += arms.map { arm in
                Self.row(
                    number, standings[arm][number], traits.persona(of: UInt32(number)),
                    arm, hosted.bundle)
            }
        }
        let head = JSONLine.object {
            $0.member("fleet", name)
            $0.member("at_seconds", (status.figures.at - .start).seconds)
        }
        return head.dropLast() + ",\"devices\":[" + rows.joined(separator: ",") + "],\"next\":"
            + (hasMore ? String(last) : "null") + "}"
    }

    private static func row(
        _ number: Int, _ standing: DeviceStanding, _ persona: Int, _ arm: Int,
        _ bundle: Bundles.Bundle
    ) -> String {
        JSONLine.object {
            $0.member("device", number)
            if bundle.arms.count > 1 { $0.member("arm", bundle.arms[arm].name) }
            $0.member("persona", bundle.scenario.personas[persona].name)
            $0.member("ios", standing.ios.description)
            $0.member("installed", standing.isInstalled)
            $0.member("status", standing.isInstalled ? standing.visible.rawValue : nil)
            $0.member("true_status", standing.isInstalled ? standing.trueStatus.rawValue : nil)
        }
    }

    static func condition(
        _ text: String?, _ hosted: HostedFleet
    ) throws(ControlError) -> DeviceCondition {
        do throws(BundleError) {
            return try hosted.bundle.devices(where: text, after: hosted.fleet.status.journal)
        } catch {
            throw ControlError(.invalidParameter, "\"where\": \(error.message)", parameter: "where")
        }
    }

    // MARK: - One device

    /// Bytes of one answer at most: a long life comes in several.
    private static let pageBytes = 512 << 10

    func why(
        _ name: String, _ device: UInt32, _ arm: String?, _ from: Int, _ view: ControlRequest.View,
        _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(name)
        // Of the same border as the replay: records name scripts by their numbers.
        let status = hosted.fleet.status
        let (place, scenario) = try self.place(device, arm, name, hosted, status)
        hosted.fleet.replay(device: device, arm: place, as: status) { records, names, speech in
            let lines =
                view.format == .json
                ? Self.lines(of: records, names, scenario)
                : Self.story(
                    of: records, names, speech, device, scenario, view,
                    upTo: status.end == nil ? status.figures.at : nil)
            reply(.success(Self.page(name, device, lines, from, view)))
        } orFail: {
            reply(.failure($0))
        }
    }

    /// Which of its arms is meant, where the fleet has this device; its scenario with the scripts
    /// that clients have brought by then.
    func place(
        _ device: UInt32, _ arm: String?, _ name: String, _ hosted: HostedFleet,
        _ status: FleetStatus
    ) throws(ControlError) -> (arm: Int, Scenario) {
        let arms = hosted.bundle.arms
        let names = arms.map(\.name)
        guard let place = names.firstIndex(of: arm ?? Arm.baseName) else {
            let near = nearest(to: arm ?? "", among: names).map { "; did you mean \"\($0)\"?" }
            throw ControlError(
                .invalidParameter,
                "fleet \"\(name)\" has no arm \"\(arm ?? "")\""
                    + (near ?? "; there are: " + names.joined(separator: ", ")), parameter: "arm")
        }
        var scenario = arms[place].scenario
        scenario.take(status.requests.lazy.map(\.intervention))
        guard device < scenario.deviceCount else {
            throw ControlError(
                .noSuchDevice,
                "fleet \"\(name)\" has the devices 0 to \(scenario.deviceCount - 1), not \(device)",
                parameter: "device")
        }
        return (place, scenario)
    }

    static func lines(
        of records: [Record], _ names: NameTable, _ scenario: Scenario
    ) -> [String] {
        var writer = RecordWriter(zone: scenario.zone, scripts: scenario.scripts.map(\.name))
        return records.map { record in
            var bytes: [UInt8] = []
            writer.append(record, names: names, to: &bytes)
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
    }

    private static func story(
        of records: [Record], _ names: NameTable, _ speech: ScriptSpeech, _ device: UInt32,
        _ scenario: Scenario, _ view: ControlRequest.View, upTo instant: SimTime?
    ) -> [String] {
        let writer = StoryWriter(
            scenario: scenario, facts: StoryWriter.Facts(of: device, in: scenario),
            isColored: view.color, width: view.width)
        return writer.story(of: records, names: names, speech: speech, upTo: instant)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Lines from `from` on, as many as one answer takes.
    private static func page(
        _ name: String, _ device: UInt32, _ lines: [String], _ from: Int,
        _ view: ControlRequest.View
    ) -> String {
        var (taken, bytes) = (0, 0)
        let rest = lines.dropFirst(from)
        for line in rest where bytes < pageBytes {
            taken += 1
            bytes += line.utf8.count
        }
        let page = rest.prefix(taken)
        let next = from + taken < lines.count ? String(from + taken) : "null"
        let head = JSONLine.object {
            $0.member("fleet", name)
            $0.member("device", device)
        }
        let content =
            view.format == .json
            ? "\"records\":[" + page.joined(separator: ",") + "]"
            : "\"story\":" + quoted(page.joined(separator: "\n"))
        return head.dropLast() + ",\(content),\"next\":\(next)}"
    }
}
