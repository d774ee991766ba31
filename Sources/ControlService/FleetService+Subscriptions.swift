import ControlProtocol
import DaemonRuntime
import JSONText
import SimPrimitives
import Simulation

extension FleetService {
    /// Tells the funnel every so often, and a last time as soon as the fleet has come to its end.
    func subscribe(
        to name: String, everySeconds seconds: Double, _ view: ControlRequest.View,
        _ connection: ControlConnection, _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(name)
        let line = try subscriptions.begin(for: connection)
        reply(.success(JSONLine.object { $0.member("subscription", line.id) }))
        let ticker = Ticker(everySeconds: seconds) { [self, weak line] in
            guard let line else { return }
            let status = hosted.fleet.status
            let isLast = status.state.isFinal
            guard isLast || line.hasRoom else { return line.lose() }
            line.send(notification(of: name, hosted, status, view, line), isLast: isLast)
            if isLast { subscriptions.end(line) }
        }
        hosted.fleet.atEnd(line.id) { ticker.fire() }
        line.atEnd {
            ticker.cancel()
            hosted.fleet.forgetAtEnd(line.id)
        }
    }

    private func notification(
        of name: String, _ hosted: HostedFleet, _ status: FleetStatus, _ view: ControlRequest.View,
        _ line: Subscriptions.Line
    ) -> String {
        let head = "\"subscription\":\(quoted(line.id)),\"lost\":\(line.lost),"
        let report = hosted.report(of: status)
        switch view.format {
        case .json:
            return ControlMessage.notification(
                "funnel", report.funnelNotification(head, state: status.state.rawValue))
        case .text:
            let text = report.funnelText(isColored: view.color, width: view.width)
            return ControlMessage.notification(
                "funnel", "{" + head + self.text(name, status, text).dropFirst())
        }
    }

    /// Tells the records that `types` and `condition` mean, and at last that there are no more.
    func watch(
        _ name: String, _ types: [String], _ condition: String?, _ connection: ControlConnection,
        _ reply: @escaping Answer
    ) throws(ControlError) {
        let hosted = try hosted(name)
        var known = RecordTypes()
        for word in types {
            guard let type = RecordType(rawValue: word) else {
                let names = RecordType.allCases.map(\.rawValue)
                let known = "; there are: " + names.joined(separator: ", ")
                let near = nearest(to: word, among: names).map { "; did you mean \"\($0)\"?" }
                throw ControlError(
                    .invalidParameter,
                    "there is no record type \"\(word)\"\(near ?? known)",
                    parameter: "types")
            }
            known.insert(RecordTypes(type))
        }
        let meant = try Self.condition(condition, hosted)
        let line = try subscriptions.begin(for: connection)
        let watcher = FleetWatcher(types: known.isEmpty ? .all : known, condition: meant) {
            [weak line] records in
            guard let line else { return }
            line.send(
                Self.notification(of: line, "\"records\":[\(records.joined(separator: ","))]"),
                count: records.count)
        } hasRoom: { [weak line] in
            line?.hasRoom ?? false
        } lose: { [weak line] count, why in
            line?.lose(count, isForRoom: why == .noRoom)
        } end: { [self, weak line] in
            guard let line else { return }
            line.send(
                Self.notification(of: line, "\"records\":[],\"ended\":true"), count: 0, isLast: true
            )
            subscriptions.end(line)
        }
        hosted.fleet.watch(watcher) { [self] result in
            switch result {
            case .success(let number):
                reply(.success(JSONLine.object { $0.member("subscription", line.id) }))
                line.atEnd { hosted.fleet.unwatch(number) }
            case .failure(let error):
                subscriptions.end(line)
                reply(.failure(error))
            }
        }
    }

    private static func notification(of line: Subscriptions.Line, _ content: String) -> String {
        ControlMessage.notification(
            "watch", "{\"subscription\":\(quoted(line.id)),\"lost\":\(line.lost),\(content)}")
    }
}
