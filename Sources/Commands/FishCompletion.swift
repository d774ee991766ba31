import ControlProtocol

/// The completions of fish, as a script.
enum FishCompletion {
    static var text: String {
        """
        # Completions of locfleet for fish. Made by 'locfleet help --generate'; not for editing.

        function __locfleet_fleets
            locfleet fleet list --json --timeout 1 2>/dev/null |
                string match -ra '"fleet":"[^"]*"' | string split -f 4 '"'
        end

        # Whether the words before the cursor begin with this verb.
        function __locfleet_is
            set -l given (commandline -opc)
            set -e given[1]
            string match -q -- "$argv *" "$given "
        end

        # Whether this word is due next: the words before the cursor are just these.
        function __locfleet_after
            set -l given (commandline -opc)
            set -e given[1]
            test "$given" = "$argv"
        end

        complete -c locfleet -f
        complete -c locfleet -s h -l help -d 'explain the verb'
        \(verbs)\(help)\(Verb.all.map(arguments).joined())
        """
    }

    private static var verbs: String {
        Verb.all.filter { $0.words.count == 1 }.map { verb in
            offer("__locfleet_after", verb.name, verb.summary)
        }.joined()
            + Verb.families.map { offer("__locfleet_after", $0, "verbs about a \($0)") }.joined()
            + offer("__locfleet_after", "help", "explain a verb")
            + offer("__locfleet_after", "version", "say which this is")
            + Verb.all.filter { $0.words.count == 2 }.map { verb in
                offer("__locfleet_after \(verb.words[0])", verb.words[1], verb.summary)
            }.joined()
    }

    private static var help: String {
        "complete -c locfleet -n '__locfleet_after help' -a '\(BashCompletion.helpWords)'\n"
    }

    private static func offer(_ condition: String, _ word: String, _ about: String) -> String {
        "complete -c locfleet -n '\(condition)' -a \(word) -d \(quoted(about))\n"
    }

    private static func arguments(of verb: Verb) -> String {
        let condition = "complete -c locfleet -n '__locfleet_is \(verb.name)'"
        let options = verb.options.map { option in
            let isLong = option.name.hasPrefix("--")
            let name = isLong ? "-l \(option.name.dropFirst(2))" : "-s \(option.name.dropFirst())"
            let value = option.offer.map { " " + takes($0) } ?? ""
            return "\(condition) \(name)\(value) -d \(quoted(option.about))\n"
        }
        var seen: [String] = []
        for index in verb.operands.indices {
            let offer = verb.offer(at: index)
            guard offer != .nothing else { continue }
            let line = "\(condition) \(isFile(offer) ? "-F" : arguments(offer))\n"
            if !seen.contains(line) { seen.append(line) }
        }
        return (options + seen).joined()
    }

    /// Of an option that takes a value.
    private static func takes(_ offer: Offer) -> String {
        switch offer {
        case .files: "-r -F"
        case .nothing: "-x"
        case .filesEnding, .folders, .fleets, .words, .either: "-x \(arguments(offer))"
        }
    }

    private static func isFile(_ offer: Offer) -> Bool { offer == .files }

    private static func arguments(_ offer: Offer) -> String {
        switch offer {
        case .files: "-F"
        case .filesEnding(let ending): "-k -a '(__fish_complete_suffix \(ending))'"
        case .folders: "-a '(__fish_complete_directories)'"
        case .fleets: "-a '(__locfleet_fleets)'"
        case .words(let words): "-a '\(words.joined(separator: " "))'"
        case .either(let offers):
            "-a '"
                + offers.map { offer in
                    if case .filesEnding(let ending) = offer {
                        return "(__fish_complete_suffix \(ending))"
                    }
                    if case .words(let words) = offer { return words.joined(separator: " ") }
                    return "(__locfleet_fleets)"
                }.joined(separator: " ") + "'"
        case .nothing: ""
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
