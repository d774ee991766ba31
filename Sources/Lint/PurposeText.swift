/// What a purpose text is worth to the person who reads it in a prompt.
enum PurposeText: Equatable {
    case empty
    /// In words: what it is instead.
    case placeholder(String)
    case generic
    case fine

    static func judge(_ text: String, key: String, appNames: [String]) -> PurposeText {
        if text.allSatisfy({ $0.isWhitespace }) { return .empty }
        if let stub = stub(text, key: key) { return .placeholder(stub) }
        let names = Set(appNames.flatMap { words(of: $0.lowercased()) })
        return isGeneric(words(of: text.lowercased()), names: names) ? .generic : .fine
    }

    /// The build variables of a text, `$(NAME)` and `${NAME}`, and what is left without them.
    ///
    /// What Xcode would not take for one, such as `$(TWO WORDS)`, stays in the rest.
    static func variables(in text: String) -> (names: [String], rest: String) {
        let pattern = #/\$\([A-Za-z_]\w*(?::\w+)*\)|\$\{[A-Za-z_]\w*(?::\w+)*\}/#
        let names = text.matches(of: pattern).map { String($0.output) }
        return (names, text.replacing(pattern, with: ""))
    }

    // MARK: - Placeholders

    private static func stub(_ text: String, key: String) -> String? {
        let plain = text.lowercased().trimmed
        // The names of keys, with or without what Xcode shows for them.
        if plain == key.lowercased() || plain.contains("usagedescription")
            || plain.contains("usage description") || plain.hasPrefix("privacy - ")
        {
            return "is the name of a key"
        }
        if let mark = template(in: text) { return "has \(mark), which no build fills in" }
        let words = words(of: plain)
        if isName(plain) { return "is a name out of the code, no sentence" }
        if !text.contains(where: \.isLetter) { return "has no words" }
        if words.allSatisfy(isNoise) { return "has no words that mean something" }
        // Upper case alone: "todo" is Spanish for everything.
        let isMarked = Self.words(of: text).contains(where: upperStubs.contains)
        if isMarked || isInstruction(words) || isFilledWithStubs(words)
            || marks.contains(where: plain.contains)
        {
            return "is a placeholder"
        }
        return nil
    }

    /// A mark that template languages and string formats would fill in, as it stands.
    private static func template(in text: String) -> String? {
        let patterns = [
            #/\{\{[^{}]*\}\}|#\{[^{}]*\}|%\{[^{}]*\}|<%.*%>|<#.*#>/#,
            #/\$\([^()]*\)?|\$\{[^{}]*\}?|\$[A-Z][A-Z0-9_]{2,}/#,
            #/%(?:\d+\$)?[@sd]\b|%@|@[A-Z][A-Z0-9_]+@|__\w+__/#,
            #/<[A-Za-z][A-Za-z _-]*>|\[[A-Z][A-Z _-]+\]|\{[A-Za-z][\w. ]*\}/#,
        ]
        if let bracketed = text.trimmed.wholeMatch(of: #/\[[^\[\]]*\]/#) {
            return String(bracketed.output)
        }
        for pattern in patterns {
            if let match = text.firstMatch(of: pattern) { return String(match.output) }
        }
        return nil
    }

    /// `location_permission_text`, `permissions.location.whenInUse`.
    private static func isName(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { "_.".contains($0) }
        return parts.count > 1
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }

    /// One letter again and again, a short run of letters again and again, or a run of keys.
    private static func isNoise(_ word: String) -> Bool {
        let letters = Array(word)
        guard letters.allSatisfy(\.isASCII) else { return false }
        if letters.count == 1 { return true }
        if keyRuns.contains(where: { $0.contains(word) && word.count > 3 }) { return true }
        return (1...4).contains { period in
            let times = letters.count / period
            guard letters.count.isMultiple(of: period), times >= (period == 2 ? 3 : 2) else {
                return false
            }
            return letters.indices.allSatisfy { letters[$0] == letters[$0 % period] }
        }
    }

    /// "Enter your reason here", "Describe why the app needs location": words to the developer.
    private static func isInstruction(_ words: [String]) -> Bool {
        guard let first = words.first, instructions.contains(first) else { return false }
        switch words.dropFirst().first {
        case "why": return true
        case "this": if first != "tell" { return true }
        case "how", "what": if words.contains("app") { return true }
        default: break
        }
        return words.indices.prefix(6).contains { place in
            guard textNouns.contains(words[place]) else { return false }
            return place + 1 == words.count || ["here", "why", "below"].contains(words[place + 1])
        }
    }

    /// "This is a test": nothing but stubs and what joins them.
    private static func isFilledWithStubs(_ words: [String]) -> Bool {
        let bare = words.map { word in
            String(word.reversed().drop { $0.isNumber }.reversed())
        }.filter { !$0.isEmpty }
        let joins: Set = [
            "this", "is", "a", "an", "the", "some", "just", "only", "my", "of", "for",
        ]
        let isFiller = { (word: String) in
            stubs.contains(word) || trials.contains(word) || joins.contains(word) || isNoise(word)
        }
        if bare.contains(where: trials.contains) {
            return bare.allSatisfy { isFiller($0) || genericWords.contains($0) }
        }
        return bare.contains(where: stubs.contains) && bare.allSatisfy(isFiller)
    }

    // MARK: - Generic texts

    /// Whether every word says that location is wanted, and none what for.
    private static func isGeneric(_ words: [String], names: Set<String>) -> Bool {
        let isEmptyPromise = words.contains { promised.contains($0) }
        return words.indices.allSatisfy { place in
            let word = words[place]
            let before = place > 0 ? words[place - 1] : ""
            switch word {
            // A run or an order of the person's own is a feature; "to run" and "in order" are none.
            case "run", "runs", "running": return !owners.contains(before)
            case "order": return before == "in"
            case "deliver", "delivers", "delivering", "show", "showing", "present", "bring":
                return isEmptyPromise
            default: return genericWords.contains(word) || names.contains(word)
            }
        }
    }

    private static func words(of text: String) -> [String] {
        let isPart = { (character: Character) -> Bool in
            character.isLetter || character.isNumber || "_'’".contains(character)
        }
        return text.split { !isPart($0) }.map { String($0).replacing("’", with: "'") }
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
