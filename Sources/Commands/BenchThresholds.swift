import DaemonRuntime
import Foundation
import JSONText

/// What the figures of the bench are to reach, and what they last were.
///
/// What is due and was never reached is told as missed. What fails a run is a figure that is worse
/// than the recorded one by more than the noise.
struct BenchThresholds {
    /// What the file says of one figure.
    struct Verdict {
        var due: Double?
        var recorded: Double?
        /// Share of the recorded figure.
        var noise: Double?
        /// Whether what is due is reached; nil: nothing is due.
        var isReached: Bool?
        var isRegression: Bool
    }

    private struct Due {
        let name: BenchFigure.Name
        /// Nil: of every size.
        let size: String?
        let value: Double
    }

    struct Recorded: Equatable {
        var key: String
        var value: Double
        var noise: Double
    }

    /// Noise is taken to be no smaller: five rounds of a quiet machine differ so much.
    private static let noiseMin = 0.05
    /// The same with fewer rounds than that, which do not show what the noise is.
    private static let noiseMinOfFewRounds = 0.15
    private static let roundsMin = 5
    /// A machine that is noisier than that does not excuse a figure.
    private static let noiseMax = 0.3
    /// Instruction counts differ only as system libraries and compilers do.
    private static let noiseOfInstructions = 0.02

    private let due: [Due]
    private(set) var recorded: [Recorded]

    init() throws(CommandError) {
        due = try Self.readDue()
        recorded = try Self.readRecorded()
    }

    private static func readDue() throws(CommandError) -> [Due] {
        let file = try BenchFile(BenchFile.thresholds)
        var list: [Due] = []
        for node in try file.items(of: file.root) {
            try file.refuseOthers(than: ["figure", "size", "least", "most"], in: node)
            let names = BenchFigure.Name.allCases.map(\.rawValue)
            guard let name = node["figure"]?.string.flatMap(BenchFigure.Name.init) else {
                throw file.complaint(
                    "\"figure\" is one of \(names.joined(separator: ", "))",
                    at: node["figure"] ?? node)
            }
            if let size = node["size"], size.string == nil {
                throw file.complaint("\"size\" is a text such as \"1000x30\"", at: size)
            }
            let bound = name.isBetterHigher ? "least" : "most"
            list.append(
                Due(
                    name: name, size: node["size"]?.string,
                    value: try file.number(bound, of: node)))
        }
        return list
    }

    private static func readRecorded() throws(CommandError) -> [Recorded] {
        guard FileManager.default.fileExists(atPath: BenchFile.recorded) else { return [] }
        let file = try BenchFile(BenchFile.recorded)
        var list: [Recorded] = []
        let names = BenchFigure.Name.allCases.map(\.rawValue)
        for member in try file.members(of: file.root) {
            try file.refuseOthers(than: ["value", "noise"], in: member.node)
            guard names.contains(String(member.name.prefix { $0 != "@" })) else {
                throw file.complaint(
                    "no figure is called \(quoted(member.name)): a key is one of "
                        + "\(names.joined(separator: ", ")), and mostly @ and a size",
                    at: member.node)
            }
            list.append(
                Recorded(
                    key: member.name, value: try file.number("value", of: member.node),
                    noise: try file.number("noise", of: member.node)))
        }
        return list
    }

    // MARK: - Judging

    func verdict(on figure: BenchFigure) -> Verdict {
        let due = self.due.first {
            $0.name == figure.name && ($0.size == nil || $0.size == figure.size)
        }?.value
        let known = recorded.first { $0.key == figure.key }
        let (median, isHigher) = (figure.median, figure.name.isBetterHigher)
        let noise = known.map { max($0.noise, self.noise(of: figure)) }
        var isRegression = false
        if let known, let noise {
            isRegression =
                isHigher ? median < known.value * (1 - noise) : median > known.value * (1 + noise)
        }
        return Verdict(
            due: due, recorded: known?.value, noise: noise,
            isReached: due.map { isHigher ? median >= $0 : median <= $0 },
            isRegression: isRegression)
    }

    /// How far the rounds of a run lie off their median, within limits.
    private func noise(of figure: BenchFigure) -> Double {
        if figure.name == .instructions { return Self.noiseOfInstructions }
        let isShort = figure.values.count < Self.roundsMin
        let least = isShort ? Self.noiseMinOfFewRounds : Self.noiseMin
        return min(max(figure.spread, least), Self.noiseMax)
    }

    // MARK: - Recording

    /// Takes these figures for what the next runs are held against; others stay as they are.
    mutating func record(_ figures: [BenchFigure]) throws(CommandError) {
        for figure in figures {
            let entry = Recorded(
                key: figure.key, value: rounded(figure.median),
                noise: rounded(noise(of: figure)))
            if let index = recorded.firstIndex(where: { $0.key == figure.key }) {
                recorded[index] = entry
            } else {
                recorded.append(entry)
            }
        }
        let lines = recorded.map { entry in
            let values = JSONLine.object {
                $0.member("value", entry.value)
                $0.member("noise", entry.noise)
            }
            return "  \(quoted(entry.key)): \(values)"
        }
        let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
        do {
            try Data(text.utf8).write(to: URL(filePath: BenchFile.recorded), options: .atomic)
        } catch {
            throw CommandError("\(BenchFile.recorded) cannot be written: \(error)", status: .failed)
        }
    }

    private func rounded(_ value: Double) -> Double { (value * 1e4).rounded() / 1e4 }
}
