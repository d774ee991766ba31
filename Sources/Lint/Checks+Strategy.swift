import AuthorizationCore
import JSONText

/// What the text of a strategy shows: LI9, LI11 to LI16.
extension Checks {
    mutating func checkStrategy() {
        guard let strategy else { return }
        checkProperty(strategy)
        checkPurposes(strategy)
        checkCallbacks(strategy)
        if let line = strategy.classMethodLine {
            note(
                .classMethodStatus, .information, versions { $0.ios >= .v14 }, inStrategyAt: line,
                "The class method authorizationStatus() is deprecated; it still answers, with the "
                    + "same value (C9).",
                mend: "Read the manager's authorizationStatus where there is one.")
        }
        if let line = strategy.backToBackLine {
            note(
                .backToBack, .warning, outlooks.map(\.ios), inStrategyAt: line,
                "Both requests are called in one go. The second finds a prompt on screen and is "
                    + "dropped, not queued (W8).",
                mend: "Make the second request after the answer to the first, in the callback or "
                    + "later.")
        }
        if let line = strategy.offMainLine {
            note(
                .requestOffMain, .warning, outlooks.map(\.ios), inStrategyAt: line,
                "A request is made off the main thread. It prompts as usual by one report, and not "
                    + "by another (J5, D26).",
                mend: "Make it on the main thread.")
        }
        if let line = strategy.deniedAloneLine {
            note(
                .restrictedUnlikeDenied, .information, outlooks.map(\.ios), inStrategyAt: line,
                "The status is compared with denied and never with restricted, which leaves an app "
                    + "as little (Y5).",
                mend: "Treat both alike, or say why not.")
        }
    }

    /// LI9
    private mutating func checkProperty(_ strategy: StrategyUse) {
        guard let line = strategy.backgroundUpdatesLine else { return }
        note(
            .backgroundUpdatesWithoutMode, .error, versions(where: \.isBackgroundPropertyFatal),
            key: .modes, inStrategyAt: line,
            "allowsBackgroundLocationUpdates is set without the background mode location: a fatal "
                + "error, whatever the authorization (B3).",
            mend: adding(mode: "location"))
    }

    /// LI11, and the second half of LI15.
    private mutating func checkPurposes(_ strategy: StrategyUse) {
        let since14 = versions { $0.fullAccuracy != .absent }
        var seen: Set<String> = []
        for purpose in strategy.purposes {
            guard let key = purpose.key, !facts.purposes.contains(key), seen.insert(key).inserted
            else { continue }
            let name = LocationKey.temporary.rawValue
            let near = nearest(to: key, among: facts.purposes).map { " Or did you mean '\($0)'?" }
            note(
                .unknownPurpose, .error, since14, key: .temporary, inStrategyAt: purpose.line,
                "Full accuracy is asked for by the purpose key '\(printable(key))', which \(name) "
                    + "does not have: no prompt, the completion gets promptDeclined (T3).",
                mend: "Add <key>\(printable(key))</key><string>Why …</string> to \(name)."
                    + (near ?? ""))
        }
        guard let first = strategy.purposes.first, facts.purposes.isEmpty else { return }
        note(
            .reducedWithoutPurposes, .error, versions(where: \.isReducedAtFirst), key: .temporary,
            inStrategyAt: first.line,
            "Grants are reduced by default and the code asks for full accuracy, but there is no "
                + "\(LocationKey.temporary.rawValue): it cannot be had but in Settings (T3).",
            mend: "Add that dictionary with the purpose keys that the code names.")
    }

    /// LI12
    private mutating func checkCallbacks(_ strategy: StrategyUse) {
        let hasNew = strategy.hooks.contains(.locationManagerDidChangeAuthorization)
        let hasOld = strategy.hooks.contains(.didChangeAuthorization)
        if hasNew, !hasOld {
            note(
                .onlyNewCallback, .warning, versions { $0.ios < .v14 }, inStrategyAt: nil,
                "Only locationManagerDidChangeAuthorization is there, which came with iOS 14: "
                    + "nothing is heard of the authorization before, not even the first time (C8).",
                mend: "Add didChangeAuthorization, or support iOS 14 on.")
        }
        if hasOld, !hasNew {
            note(
                .onlyOldCallback, .warning, versions { $0.ios >= .v14 }, inStrategyAt: nil,
                "Only the deprecated callback is there: changes of Precise alone are not heard "
                    + "(S15).",
                mend: "Add locationManagerDidChangeAuthorization.")
        }
    }
}
