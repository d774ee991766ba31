import ControlProtocol

/// The completions of bash, as a script.
enum BashCompletion {
    static var text: String {
        """
        # Completions of locfleet for bash. Made by 'locfleet help --generate'; not for editing.
        # shellcheck shell=bash

        _locfleet_fleets() {
            locfleet fleet list --json --timeout 1 2> /dev/null |
                grep -o '"fleet":"[^"]*"' | cut -d '"' -f 4
        }

        # Sets `offer` to what the value of option $2 of verb $1 is; fails where it takes none.
        _locfleet_value() {
            case "$1 $2" in
        \(values)        *) return 1 ;;
            esac
        }

        # Sets `offer` to what operand $2, from 0, of verb $1 is.
        _locfleet_operand() {
            case "$1 $2" in
        \(operands)        *) offer=nothing ;;
            esac
        }

        # Sets `options` to those of verb $1.
        _locfleet_options() {
            case "$1" in
        \(options)        *) options=--help ;;
            esac
        }

        _locfleet_reply() {
            local kind=${offer%%:*} rest=${offer#*:}
            case $kind in
                words) mapfile -t COMPREPLY < <(compgen -W "$rest" -- "$cur") ;;
                fleets) mapfile -t COMPREPLY < <(compgen -W "$(_locfleet_fleets)" -- "$cur") ;;
                folders) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
                files) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
                ending)
                    mapfile -t COMPREPLY < <(compgen -d -- "$cur"
                        compgen -f -X "!*$rest" -- "$cur") ;;
                either)
                    mapfile -t COMPREPLY < <(compgen -W "$(_locfleet_fleets)" -- "$cur"
                        compgen -d -- "$cur"; compgen -f -X "!*$rest" -- "$cur") ;;
                some)
                    mapfile -t COMPREPLY < <(compgen -W "${rest#* }" -- "$cur"
                        compgen -d -- "$cur"; compgen -f -X "!*${rest%% *}" -- "$cur") ;;
            esac
            case $kind in
                folders | files | ending | either | some) compopt -o filenames 2> /dev/null ;;
            esac
        }

        _locfleet() {
            local cur=${COMP_WORDS[COMP_CWORD]} verb="" offer options word before="" count=0 i
            COMPREPLY=()
            # Bash takes the sign in --option=value for a word.
            [ "$cur" = "=" ] && cur=""
            for ((i = 1; i < COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if [ "$word" = "=" ]; then
                    continue
                elif [ -z "$verb" ]; then
                    verb=$word
                elif [[ " \(Verb.families.joined(separator: " ")) " == *" $verb "* ]]; then
                    verb="$verb $word"
                elif [ -n "$before" ]; then
                    before=""
                elif [[ $word == -* ]]; then
                    if _locfleet_value "$verb" "$word"; then before=$word; fi
                else
                    count=$((count + 1))
                fi
            done
            case $verb in
                "") offer="words:\(firstWords)" ;;
                help) offer="words:\(helpWords)" ;;
        \(families)        *)
                    if [ -n "$before" ]; then
                        _locfleet_value "$verb" "$before"
                    elif [[ $cur == -* ]]; then
                        _locfleet_options "$verb"
                        offer="words:$options"
                    else
                        _locfleet_operand "$verb" "$count"
                    fi ;;
            esac
            _locfleet_reply
        }

        complete -F _locfleet locfleet

        """
    }

    static var firstWords: String {
        var words: [String] = []
        for verb in Verb.all where !words.contains(verb.words[0]) { words.append(verb.words[0]) }
        return (words + ["help", "version"]).joined(separator: " ")
    }

    static var helpWords: String {
        (firstWords.split(separator: " ").map(String.init) + ControlMethod.allCases.map(\.name))
            .joined(separator: " ")
    }

    private static func line(_ text: String) -> String { "        \(text)\n" }

    private static var families: String {
        Verb.families.map { family in
            let words = Verb.all.filter { $0.words.count == 2 && $0.words[0] == family }
                .map { $0.words[1] }.joined(separator: " ")
            return line("\(family)) offer=\"words:\(words)\" ;;")
        }.joined()
    }

    private static var values: String {
        Verb.all.map { verb in
            verb.options.compactMap { option in
                option.offer.map { offer in
                    line("\"\(verb.name) \(option.name)\") offer=\(word(offer)) ;;")
                }
            }.joined()
        }.joined()
    }

    private static var operands: String {
        Verb.all.map { verb in
            verb.operands.enumerated().map { index, placeholder in
                let count = placeholder.hasSuffix("…") ? "*" : " \(index)"
                let pattern = count == "*" ? "\"\(verb.name) \"*" : "\"\(verb.name)\(count)\""
                return line("\(pattern)) offer=\(word(verb.offer(at: index))) ;;")
            }.joined()
        }.joined()
    }

    private static var options: String {
        Verb.all.map { verb in
            let names = (verb.options.map(\.name) + ["--help"]).joined(separator: " ")
            return line("\"\(verb.name)\") options=\"\(names)\" ;;")
        }.joined()
    }

    private static func either(_ offers: [Offer]) -> String {
        var (ending, words) = ("", [String]())
        for offer in offers {
            if case .filesEnding(let text) = offer { ending = text }
            if case .words(let some) = offer { words += some }
        }
        return words.isEmpty
            ? "either:\(ending)" : "\"some:\(ending) \(words.joined(separator: " "))\""
    }

    /// As `_locfleet_reply` reads it.
    private static func word(_ offer: Offer) -> String {
        switch offer {
        case .files: "files"
        case .filesEnding(let ending): "ending:\(ending)"
        case .folders: "folders"
        case .fleets: "fleets"
        case .words(let words): "\"words:\(words.joined(separator: " "))\""
        case .either(let offers): either(offers)
        case .nothing: "nothing"
        }
    }
}
