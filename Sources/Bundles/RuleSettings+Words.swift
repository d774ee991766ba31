import AuthorizationCore

extension SystemRules {
    /// A key of a scenario's `rules` for people.
    public struct SettingWords: Equatable, Sendable {
        /// As a scenario writes it.
        public var standard: String
        /// "0 to 3,600", or the words that it takes.
        public var accepted: String
    }

    /// Nil where `rules` has no such key.
    public static func words(of setting: String) -> SettingWords? {
        guard let entry = RuleSettings.entries.first(where: { $0.name == setting }) else {
            return nil
        }
        let standard = SystemRules()
        switch entry.kind {
        case .number(let path, let range):
            return SettingWords(
                standard: grouped(standard[keyPath: path]),
                accepted: "\(grouped(range.lowerBound)) to \(grouped(range.upperBound))")
        case .bool(let path):
            return SettingWords(standard: "\(standard[keyPath: path])", accepted: "true or false")
        case .word(let words, let get, _):
            return SettingWords(
                standard: "\"\(get(standard))\"",
                accepted: words.map { "\"\($0)\"" }.joined(separator: " or "))
        }
    }
}
