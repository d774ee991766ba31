import AuthorizationCore
import JSONText

/// Reads conformance cases: one JSON object a line.
public enum ConformanceFile {
    /// Lines of one file.
    public static let lineCountMax = 100_000
    /// Bytes of one line.
    public static let lineBytesMax = 1 << 20

    /// - Parameter name: as the person gave it; messages repeat it.
    /// - Throws: `ConformanceError` for the first line that is no case.
    public static func read(
        _ bytes: [UInt8], name: String
    ) throws(ConformanceError) -> [ConformanceCase] {
        var bytes = bytes[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }  // UTF-8 with a mark.
        var cases: [ConformanceCase] = []
        var ids: [String: Int] = [:]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if line.allSatisfy({ $0 == 32 || $0 == 9 || $0 == 13 }) { continue }
            let place = CaseReader(file: name, line: index + 1)
            guard index < lineCountMax else {
                throw place.error("a file has at most \(lineCountMax) lines")
            }
            guard line.count <= lineBytesMax else {
                throw place.error("a line has at most \(lineBytesMax) bytes")
            }
            let read = try place.read(Array(line))
            if let other = ids.updateValue(index + 1, forKey: read.id) {
                throw place.error("'\(read.id)' is the id of line \(other) already")
            }
            cases.append(read)
        }
        guard !cases.isEmpty else {
            throw ConformanceError(file: name, line: 1, reason: "there is no case in this file")
        }
        return cases
    }
}

/// Reads one line.
struct CaseReader {
    let file: String
    let line: Int

    func error(_ reason: String) -> ConformanceError {
        ConformanceError(file: file, line: line, reason: reason)
    }

    func read(_ bytes: [UInt8]) throws(ConformanceError) -> ConformanceCase {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONReader.read(bytes, as: .json)
        } catch { throw self.error("column \(error.position.column): \(error.message)") }
        let members = try object(node, "a case")
        try check(members, among: Vocabulary.caseKeys, of: "a case")
        let id = try text(required("id", of: members, in: "a case"), "id")
        guard !id.isEmpty else { throw error("id is not empty") }
        let (versions, versionTexts) = try versions(required("ios", of: members, in: "a case"))
        let kind = try members["kind"].map { node throws(ConformanceError) in
            try word(text(node, "kind"), among: ["app", "app_clip"], in: "kind")
        }
        var steps: [ConformanceCase.Step] = []
        let list = try list(required("steps", of: members, in: "a case"), "steps")
        guard list.count <= Vocabulary.stepCountMax else {
            throw error(
                "steps lists \(list.count) steps; a case has at most \(Vocabulary.stepCountMax)")
        }
        for (index, node) in list.enumerated() {
            steps.append(try step(node, "step \(index + 1)"))
        }
        guard !steps.isEmpty else { throw error("steps lists at least one step") }
        try checkSums(steps)
        var rules: [String] = []
        if let node = members["rules"] {
            for (index, item) in try self.list(node, "rules").enumerated() {
                rules.append(try text(item, "rules \(index + 1)"))
            }
        }
        try checkRemarks(members)
        var test = ConformanceCase(
            id: id,
            title: try members["title"].map { node throws(ConformanceError) in
                try text(node, "title")
            } ?? id,
            versions: versions, versionTexts: versionTexts,
            plist: try plist(
                object(required("plist", of: members, in: "a case"), "plist")),
            isAppClip: kind == "app_clip", steps: steps, stepTexts: list.map(\.excerpt),
            rules: rules, file: file, line: line)
        test.notes = test.slips
        return test
    }

    private func versions(
        _ node: JSONNode
    ) throws(ConformanceError) -> ([IOSVersion], [String]) {
        var (versions, texts): ([IOSVersion], [String]) = ([], [])
        for (index, item) in try list(node, "ios").enumerated() {
            guard case .string(let text) = item.value else {
                throw error(
                    "ios \(index + 1) is a string, such as \"18\" or \"18.0\", "
                        + "not \(item.value.kind)")
            }
            let version = try version(text, in: "ios")
            guard !versions.contains(version) else { throw error("ios lists \(version) twice") }
            versions.append(version)
            texts.append(text)
        }
        guard !versions.isEmpty else { throw error("ios lists at least one version") }
        return (versions, texts)
    }

    /// What no step exceeds can still be too much in sum: a case ends in seconds.
    private func checkSums(_ steps: [ConformanceCase.Step]) throws(ConformanceError) {
        var sums: [String: Double] = [:]
        for (index, step) in steps.enumerated() {
            guard case .act(let act) = step, let limit = Vocabulary.sumMax[act.name] else {
                continue
            }
            let sum = sums[limit.of, default: 0] + (act.numbers[limit.member] ?? 1)
            guard sum <= limit.max else {
                throw error(
                    "step \(index + 1): a case has at most \(Int64(limit.max)) \(limit.of); "
                        + "with this step it has \(ConformanceCase.Value.number(sum))")
            }
            sums[limit.of] = sum
        }
    }

    /// What the runner does not use, but a reader of the file will.
    private func checkRemarks(_ members: [String: JSONNode]) throws(ConformanceError) {
        if let node = members["source"] { _ = try text(node, "source") }
        if let node = members["confidence"] {
            _ = try word(
                text(node, "confidence"), among: Vocabulary.confidences, in: "confidence")
        }
    }
}
