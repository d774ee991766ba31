import JSONText

/// What the sources of the rules leave open, and the default that the model takes: a line of
/// `config/rules/questions.jsonl`.
public struct OpenQuestion: Sendable {
    /// D1 and its kin.
    public var id: String
    public var question: String
    /// What sources say, as far as they do.
    public var known: String
    /// What the model does unless a setting says otherwise.
    public var standard: String
    /// The keys of a scenario's `rules` that decide it; empty where the sources that count agree.
    public var settings: [String]
    /// Ids of the rules that hang on it.
    public var rules: [String]

    /// - Parameter name: as messages call the file.
    /// - Throws: `ConformanceError` for the first line that is no question.
    public static func read(
        _ bytes: [UInt8], name: String
    ) throws(ConformanceError) -> [OpenQuestion] {
        var questions: [OpenQuestion] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty {
            let reader = CaseReader(file: name, line: index + 1)
            let question = try reader.question(Array(line))
            guard !questions.contains(where: { $0.id == question.id }) else {
                throw reader.error("'\(question.id)' stands here twice")
            }
            questions.append(question)
        }
        return questions
    }
}

extension CaseReader {
    fileprivate func question(_ bytes: [UInt8]) throws(ConformanceError) -> OpenQuestion {
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONReader.read(bytes, as: .json)
        } catch { throw self.error("column \(error.position.column): \(error.message)") }
        let members = try object(node, "a question")
        try check(
            members, among: ["id", "question", "known", "default", "settings", "rules"],
            of: "a question")
        func text(_ key: String) throws(ConformanceError) -> String {
            try self.text(required(key, of: members, in: "a question"), key)
        }
        func texts(_ key: String) throws(ConformanceError) -> [String] {
            var texts: [String] = []
            for node in try list(required(key, of: members, in: "a question"), key) {
                texts.append(try self.text(node, key))
            }
            return texts
        }
        return OpenQuestion(
            id: try text("id"), question: try text("question"), known: try text("known"),
            standard: try text("default"), settings: try texts("settings"),
            rules: try texts("rules"))
    }
}
