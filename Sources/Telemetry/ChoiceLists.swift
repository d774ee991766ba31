import AuthorizationCore
import Simulation

/// The buttons of prompts as lists of JSON, made once.
///
/// A record keeps a set; the prompt's own order comes from the version whose prompt has it.
struct ChoiceLists: Sendable {
    private struct Entry: Sendable {
        let set: ChoiceSet
        let json: [UInt8]
    }

    /// By `PromptKind.index`; the newest version first.
    private let entries: [[Entry]]

    init() {
        entries = PromptKind.allCases.map { kind in
            [IOSVersion.v26, .v11, IOSVersion(8, 0)].compactMap { $0 }.map { ios in
                let choices = kind.choices(on: ios)
                return Entry(set: ChoiceSet(choices), json: Self.json(choices))
            }
        }
    }

    func json(_ set: ChoiceSet, of kind: PromptKind) -> [UInt8] {
        for entry in entries[kind.index] where entry.set == set { return entry.json }
        return Self.json(set.inDisplayOrder(of: kind))
    }

    private static func json(_ choices: [Choice]) -> [UInt8] {
        Array("[\(choices.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]".utf8)
    }
}

extension ChoiceSet {
    /// The buttons as a prompt of `kind` shows them: in the order of the newest version whose
    /// prompt has them all, else in that of `Choice.allCases`.
    public func inDisplayOrder(of kind: PromptKind) -> [Choice] {
        for ios in [IOSVersion.v26, .v11, IOSVersion(8, 0)].compactMap({ $0 }) {
            let shown = kind.choices(on: ios)
            if isSubset(of: ChoiceSet(shown)) { return shown.filter(contains) }
        }
        return Choice.allCases.filter(contains)
    }
}
