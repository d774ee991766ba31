import AuthorizationCore
import Bundles
import JSONText
import Lint
import LuaScripting
import Simulation

/// What a file of tests says of all its tests, or a test of itself.
struct TestSettings {
    /// Values by the names of options; none: no word of them.
    var options: [(name: String, value: TestValue)] = []
    var plist: String?
    /// Nil: no word of versions.
    var ios: [IOSVersion]?
    var seed: UInt64?

    init() {}

    /// - Parameter owner: what the settings belong to, for messages.
    init(_ value: TestValue, owner: String) throws(TestRefusal) {
        plist = value["plist"].text
        if let number = value["seed"].number {
            guard let seed = UInt64(exactly: number), number <= 9_007_199_254_740_992 else {
                throw TestRefusal(
                    "\(owner): seed is a whole number in 0 ... 9007199254740992, not "
                        + "\(value["seed"])")
            }
            self.seed = seed
        }
        for entry in value["options"].entries {
            guard let name = entry.key.text else {
                throw TestRefusal("\(owner): options have names, such as { retries_max = 2 }")
            }
            options.append((name, entry.value))
        }
        let ranges = value["ios"].list.map { $0.text ?? "\($0)" }
        guard !ranges.isEmpty else { return }
        do throws(VersionChoice.Failure) {
            ios = try VersionChoice.read(ranges.joined(separator: ","))
        } catch { throw TestRefusal("\(owner): ios: \(error.message)") }
    }
}

/// One script under test, and what it declares.
struct TestedScript {
    let source: ScriptSource
    let outline: LuaScripting.ScriptOutline

    init(_ source: ScriptSource, _ kind: ScriptKind) throws(BundleError) {
        self.source = source
        do throws(ScriptError) {
            outline = try LuaScripting.ScriptOutline.read(
                source: source.text, name: source.name, kind: kind)
        } catch {
            throw BundleError(.script, place: error.script, line: error.line, error.reason)
        }
    }

    func declares(_ option: String) -> Bool { outline.options.contains { $0.name == option } }

    /// Every option, with the values that `given` has for them; the last counts.
    func options(_ given: [(name: String, value: TestValue)]) throws(TestRefusal) -> [ScriptOption]
    {
        var result: [ScriptOption] = []
        for option in outline.options {
            let last = given.last { $0.name == option.name }?.value
            var value: ScriptOption.Value? = nil
            if let last {
                value =
                    switch last {
                    case .number(let number): .number(number)
                    case .flag(let flag): .boolean(flag)
                    case .text(let text): .string(text)
                    case .none, .table: nil
                    }
                let complaint =
                    value.map { option.complaint(about: $0) }
                    ?? "\(option.name) is a number, a boolean or a string"
                if let complaint {
                    throw TestRefusal("options: \(complaint), not \(last)")
                }
            }
            result.append(
                ScriptOption(
                    name: option.name, value: value ?? option.defaultValue,
                    isAssumed: value == nil && option.isAssumed, isGiven: value != nil))
        }
        return result
    }
}

/// What a person has written, in a message: in quotes, and not without end.
func shown(_ text: String) -> String {
    let bytesMax = 64
    let isLong = text.utf8.count > bytesMax
    return "'\(printable(isLong ? String(text.prefix(bytesMax)) + "…" : text))'"
}

/// ": did you mean 'x'?", or the names that there are.
func hint(_ name: String, among known: [String]) -> String {
    if let near = nearest(to: name, among: known) { return "; did you mean '\(near)'?" }
    return known.isEmpty ? "" : "; there is \(known.joined(separator: ", "))"
}
