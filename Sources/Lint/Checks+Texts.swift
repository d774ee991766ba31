import AuthorizationCore

/// What the purpose texts say: LI3, LI4, LI5.
extension Checks {
    mutating func checkTexts() {
        for text in facts.texts { check(text) }
    }

    private mutating func check(_ text: PlistFacts.Text) {
        let holds = versions { text.key.counts(on: $0.ios) }
        let name = text.purpose ?? text.key.rawValue
        let (variables, rest) = PurposeText.variables(in: text.text)
        if let variable = variables.first {
            noteVariable(variable, text, holds)
            if facts.isBuilt || rest.allSatisfy(\.isWhitespace) { return }
        }
        switch PurposeText.judge(rest, key: name, appNames: facts.appNames) {
        case .fine: return
        case .empty:
            note(
                .emptyText, .error, holds, path: text.path,
                "The text is empty. A phone takes it as present and prompts without a text (D34); "
                    + "the App Store has refused it (ITMS-90738).",
                mend: "Say which feature needs location, and what people get from it.")
        case .placeholder(let what):
            note(
                .placeholderText, .warning, holds, path: text.path,
                "The text \(what), and people will read it in the prompt.",
                mend: "Say which feature needs location, and what people get from it.")
        case .generic:
            note(
                .genericText, .warning, holds, path: text.path,
                "The text names no feature: people cannot tell what they would get, and review "
                    + "wants it clear and complete.",
                mend: "Name the feature, as in “Shows the stores around you”.")
        }
    }

    /// LI4: a build fills it in, unless the list has been built already.
    private mutating func noteVariable(
        _ variable: String, _ text: PlistFacts.Text, _ holds: [IOSVersion]
    ) {
        guard facts.isBuilt else {
            return note(
                .buildVariable, .information, holds, path: text.path,
                "The text has \(variable), which Xcode fills in where it builds the app: people "
                    + "read what it stands for then. This is the form of the source.",
                mend: "Check the Info.plist of the built app too.")
        }
        note(
            .placeholderText, .warning, holds, path: text.path,
            "The text has \(variable), a build variable that the build of this app has not filled "
                + "in, and people will read it in the prompt.",
            mend: "Define \(variable) in the build, or write the text itself.")
    }
}
