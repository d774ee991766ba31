/// The completions of zsh, as a script for a folder of `$fpath`.
enum ZshCompletion {
    static var text: String {
        """
        #compdef locfleet
        # Completions of locfleet for zsh. Made by 'locfleet help --generate'; not for editing.

        _locfleet_fleets() {
            local -a fleets
            fleets=(${(f)"$(locfleet fleet list --json --timeout 1 2> /dev/null |
                grep -o '"fleet":"[^"]*"' | cut -d '"' -f 4)"})
            compadd "$@" -a fleets
        }

        _locfleet() {
            local -a verbs
            local curcontext=$curcontext verb
            typeset -A opt_args
            if (( CURRENT == 2 )); then
                verbs=(
        \(firstVerbs)        )
                _describe -t verbs verb verbs
                return
            fi
            verb=$words[2]
            case $verb in
        \(families)        help)
                    compadd \(helpWords)
                    return ;;
            esac
            shift words
            (( CURRENT-- ))
            case $verb in
        \(arguments)    esac
        }

        _locfleet "$@"

        """
    }

    private static var helpWords: String {
        BashCompletion.helpWords
    }

    private static func described(_ name: String, _ about: String) -> String {
        quoted("\(name.replacing(":", with: "\\:")):\(about)")
    }

    private static var firstVerbs: String {
        let singles = Verb.all.filter { $0.words.count == 1 }.map { ($0.name, $0.summary) }
        let families = Verb.families.map { ($0, "verbs about a \($0)") }
        return
            (singles + families + [("help", "explain a verb"), ("version", "say which this is")])
            .map { "            \(described($0.0, $0.1))\n" }.joined()
    }

    private static var families: String {
        Verb.families.map { family in
            let verbs = Verb.all.filter { $0.words.count == 2 && $0.words[0] == family }
            let lines = verbs.map { "                \(described($0.words[1], $0.summary))\n" }
            return """
                        \(family))
                            if (( CURRENT == 3 )); then
                                verbs=(
                    \(lines.joined())                )
                                _describe -t verbs verb verbs
                                return
                            fi
                            verb="\(family) $words[3]"
                            shift words
                            (( CURRENT-- )) ;;

                """
        }.joined()
    }

    private static var arguments: String {
        Verb.all.map { verb in
            let options = verb.options.map { option in
                let about = option.about.replacing("\\", with: "\\\\")
                    .replacing("[", with: "\\[").replacing("]", with: "\\]")
                let star = option.isRepeatable ? "*" : ""
                guard let value = option.value, let offer = option.offer else {
                    return "\(star)\(option.name)[\(about)]"
                }
                let name = option.name.hasPrefix("--") ? option.name + "=" : option.name
                let what = value.replacing(":", with: "\\:")
                return "\(star)\(name)[\(about)]:\(what):\(action(offer))"
            }
            let operands = verb.operands.enumerated().map { index, placeholder in
                let place = placeholder.hasSuffix("…") ? "*" : "\(index + 1)"
                return "\(place):\(placeholder):\(action(verb.offer(at: index)))"
            }
            let lines = (options + operands).map { " \\\n                \(quoted($0))" }
            return "        \(quoted(verb.name))) _arguments -s -S\(lines.joined()) ;;\n"
        }.joined()
    }

    private static func action(_ offer: Offer) -> String {
        switch offer {
        case .files: "_files"
        case .filesEnding(let ending): "_files -g \"*\(ending)\""
        case .folders: "_files -/"
        case .fleets: "_locfleet_fleets"
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .either(let offers):
            // In one call of `_alternative`, each with a tag of its own.
            " _alternative "
                + offers.enumerated().map { "\"of\($0):word:\(plain($1))\"" }.joined(separator: " ")
        case .nothing: " "
        }
    }

    /// Without quotes of its own, for a place in quotes.
    private static func plain(_ offer: Offer) -> String {
        if case .filesEnding(let ending) = offer { return "_files -g \\*\(ending)" }
        return action(offer)
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }
}
