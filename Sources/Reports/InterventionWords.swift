import AuthorizationCore
import JSONText
import SimPrimitives
import Simulation

extension Intervention {
    private enum Value {
        case word(String)
        case toggle(Bool)
        case options([OptionSetting])
    }

    /// What `value` says in a scenario; nil where the action takes none.
    private var value: Value? {
        switch action {
        case .updateApp, .strategy, .behavior: return .word(file)
        case .options(let settings), .appOptions(let settings): return .options(settings)
        case .terminate: return nil
        case .act(let act):
            switch act {
            case .settings(let row): return .word(row.rawValue)
            case .precise(let isOn), .locationServices(let isOn), .restriction(let isOn),
                .backgroundRefresh(let isOn):
                return .toggle(isOn)
            case .reinstall(let wait): return wait == .zero ? nil : .word(scenarioText(wait))
            case .upgradeOS(let version): return .word(version.description)
            case .forceQuit, .deleteApp, .resetLocationPrivacy, .reboot, .migrateDevice,
                .placeWidget, .tapLocationButton, .milestone, .metric:
                return nil
            }
        }
    }

    /// Everything but its instant, for a cell of a table: `settings never, where persona = x`.
    var text: String {
        var text = action.kind.rawValue
        switch value {
        case .word(let word)?: text += " \(word)"
        case .toggle(let isOn)?: text += isOn ? " on" : " off"
        case .options(let settings)?: text += " " + Self.text(of: settings)
        case nil: break
        }
        let given = (action.change?.options ?? []).filter(\.isGiven)
        if !given.isEmpty {
            text += " with " + Self.text(of: given.map { OptionSetting($0.name, $0.value) })
        }
        if !conditionText.isEmpty { text += ", where \(conditionText)" }
        if share < 1 { text += ", share \(plainText(share))" }
        return text
    }

    private static func text(of settings: [OptionSetting]) -> String {
        settings.map { "\($0.name) = \($0.value.text)" }.joined(separator: ", ")
    }

    /// What it is, as members of an object.
    var members: [(String, JSONTree)] {
        let tree: JSONTree =
            switch value {
            case .word(let word)?: .text(word)
            case .toggle(let isOn)?: .literal(isOn ? "true" : "false")
            case .options(let settings)?: .object(settings.map { ($0.name, $0.value.tree) })
            case nil: .null
            }
        return [
            ("at_seconds", .number((at - .start).seconds)),
            ("do", .text(action.kind.rawValue)),
            ("value", tree),
            ("where", conditionText.isEmpty ? .null : .text(conditionText)),
            ("share", .number(share)),
        ]
    }
}
