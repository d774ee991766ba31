import Foundation
import TestSupport
import Testing

@Suite("The strategy that never asks twice a week")
struct PatientStrategyTests {
    private struct Line: Decodable {
        var us: Int64
        var device: UInt32
        var type: String
        var kind: String?
    }

    /// Prompts that the system brings by itself are not the app's questions.
    private static let own: Set = ["primer", "settings_alert"]

    @Test("leaves a week between two questions of any kind, on every device")
    func pause() throws {
        let folder = try ScratchFolder()
        let log = folder.url.appending(path: "log.ndjson").path
        let program = try Program.locfleet([
            "run", "config/scenarios/never-twice-a-week.json5", "--devices", "400", "--log", log,
        ])
        #expect(program.status == 0, "\(program.error)")
        let text = try String(contentsOfFile: log, encoding: .utf8)
        var (last, pauses) = ([UInt32: Int64](), 0)
        for line in text.split(separator: "\n") {
            let record = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            guard Self.own.contains(record.type) else { continue }
            if let before = last[record.device] {
                // Records have the instant of the answer, some seconds after the question.
                let pause = Double(record.us - before) / 86_400e6
                #expect(pause > 6.999, "device \(record.device) after \(pause) days: \(line)")
                pauses += 1
            }
            last[record.device] = record.us
        }
        #expect(pauses > 300)
    }
}
