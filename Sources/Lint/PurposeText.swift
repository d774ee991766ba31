/// What a purpose text is worth to the person who reads it in a prompt.
enum PurposeText: Equatable {
    case empty
    /// In words: what it is instead.
    case placeholder(String)
    case generic
    case fine

    static func judge(_ text: String, key: String, appNames: [String]) -> PurposeText {
        let plain = text.lowercased()
        if plain.allSatisfy({ $0.isWhitespace }) { return .empty }
        if let variable = buildVariable(in: text) {
            return .placeholder("has \(variable), a build variable that nothing has filled in")
        }
        // The names of keys, with or without what Xcode shows for them.
        if plain.trimmed == key.lowercased() || plain.contains("usagedescription")
            || plain.contains("usage description") || plain.hasPrefix("privacy - ")
        {
            return .placeholder("is the name of a key")
        }
        for mark in marks where plain.contains(mark) {
            return .placeholder("is a placeholder")
        }
        let words = words(of: text)
        // Upper case alone: "todo" is Spanish for everything.
        let stubs = ["TO" + "DO", "FIX" + "ME", "TBD", "XX" + "X"]
        if words.contains(where: stubs.contains) { return .placeholder("is a placeholder") }
        let names = Set(appNames.flatMap { Self.words(of: $0.lowercased()) })
        let known = Self.words(of: plain).allSatisfy {
            genericWords.contains($0) || names.contains($0)
        }
        return known ? .generic : .fine
    }

    private static let marks = [
        "goes here", "your_description", "your description", "description here", "your text",
        "text here", "lorem ipsum", "placeholder", "insert text", "insert reason",
        "insert description", "<#", "change me", "changeme", "replace me", "fill me in",
        "your reason", "your_reason", "reason here",
    ]

    /// `$(NAME)` or `${NAME}`.
    private static func buildVariable(in text: String) -> String? {
        for (open, close) in [("$(", ")"), ("${", "}")] {
            guard let start = text.firstRange(of: open)?.lowerBound,
                let end = text[start...].firstRange(of: close)?.upperBound
            else { continue }
            return String(text[start..<end])
        }
        return nil
    }

    private static func words(of text: String) -> [String] {
        let isPart = { (character: Character) -> Bool in
            character.isLetter || character.isNumber || "_'’".contains(character)
        }
        return text.split { !isPart($0) }.map { String($0).replacing("’", with: "'") }
    }

    /// Words that say that location is wanted, but not what for. Source: the texts that LI5 cites,
    /// and their like. Other languages pass.
    private static let genericWords = Set(
        """
        a able about access accessing accurate all allow allows always an and any app app's
        apply application applications are as ask asks at background basic be because been being
        best better but by can collect continue correct correctly current data depends details
        device device's do does enable enabled enhance enjoy ensure experience experiences
        features feature for foreground from full fully function functional functionality
        functionalities functioning functions get gets gives give gps grant granted has have
        help helps how if improve improves improving in information is it it's its kindly know
        let like location location's locations location-based make may might must need needed
        needs not of offer on operate operation option or order our ours our's permission
        permissions permit phone phone's please position properly proper provide provided
        provides providing purpose purposes reason reasons request requested requests require
        required requires requiring running run runs same service services settings should so
        some something take that the their them these this those time to track tracking turn
        usage use used user user's users users' uses using various via want wants was we we'd
        we'll when where which while will with without work working works would why you you'd
        your yours
        """.split { $0 == " " || $0 == "\n" }.map(String.init))
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
