import AuthorizationCore
import JSONText
import SimPrimitives
import Simulation

/// Conditions on devices: `persona = depends and not status = denied`.
extension ConditionReader {
    private static let terms = ["status", "true_status", "persona", "ios", "arm", "device", "day"]

    mutating func deviceCondition() throws(ConditionError) -> DeviceCondition {
        try joined(
            all: { .all($0) }, any: { .any($0) }, not: { .not($0) },
            { (reader) throws(ConditionError) in try reader.deviceComparison() })
    }

    private mutating func deviceComparison() throws(ConditionError) -> DeviceCondition {
        let token = take()
        guard case .word(let term) = token.kind else {
            throw complaint("a term is due here, such as status, not \(token.shown)", at: token)
        }
        guard Self.terms.contains(term) || optionNames.contains(Self.option(term)) else {
            let known = Self.terms + optionNames
            throw complaint(unknown("term", term, among: known), at: token)
        }
        let comparison = try comparison(after: term)
        switch term {
        case "status":
            let isEqual = try isEqual(comparison, term, at: token)
            let mask = try mask(VisibleStatus.allCases.map(\.rawValue), "status")
            return isEqual ? .visible(mask) : .not(.visible(mask))
        case "true_status":
            let isEqual = try isEqual(comparison, term, at: token)
            let mask = try mask(TrueStatus.allCases.map(\.rawValue), "true status")
            return isEqual ? .trueStatus(mask) : .not(.trueStatus(mask))
        case "persona":
            let isEqual = try isEqual(comparison, term, at: token)
            let names = vocabulary.personas[0].map(\.name)
            let name = try member(of: names, "persona")
            return .persona(names.map { ($0 == name) == isEqual })
        case "arm":
            let isEqual = try isEqual(comparison, term, at: token)
            let (name, place) = try name(of: "an arm")
            guard vocabulary.arms.contains(name) else {
                throw complaint(vocabulary.noArm(name), at: place)
            }
            return .arm(vocabulary.arms.map { ($0 == name) == isEqual })
        case "ios": return try version(comparison)
        case "device":
            let number = try number(for: term)
            guard let device = UInt32(exactly: number) else {
                throw complaint("a device's number is whole and not below 0", at: token)
            }
            return .device(comparison, device)
        case "day": return .day(comparison, try number(for: term))
        default: return try option(Self.option(term), comparison, at: token)
        }
    }

    /// The bit of one of `words`.
    private mutating func mask(_ words: [String], _ what: String) throws(ConditionError) -> UInt8 {
        let word = try member(of: words, what)
        return 1 << UInt8(words.firstIndex(of: word) ?? 0)  // `member` has found it.
    }

    private mutating func member(
        of names: [String], _ what: String
    ) throws(ConditionError) -> String {
        let (name, token) = try name(of: "a \(what)")
        guard names.contains(name) else {
            throw complaint(unknown(what, name, among: names), at: token)
        }
        return name
    }

    /// `17` is every 17.x: greater is later than all of them.
    private mutating func version(_ comparison: Comparison) throws(ConditionError)
        -> DeviceCondition
    {
        let (text, token) = try name(of: "a version of iOS")
        guard let version = IOSVersion(text) else {
            throw complaint("there is no iOS \(quoted(text)); 17 and 17.6 are versions", at: token)
        }
        guard !text.contains("."),
            let known = IOSVersion.released.first(where: { $0.major == version.major }),
            let last = IOSVersion(known.major, known.minorMax)
        else { return .ios(comparison, version) }
        let isMajor = DeviceCondition.all([
            .ios(.greaterOrEqual, version), .ios(.lessOrEqual, last),
        ])
        switch comparison {
        case .equal: return isMajor
        case .notEqual: return .not(isMajor)
        case .greater, .lessOrEqual: return .ios(comparison, last)
        case .less, .greaterOrEqual: return .ios(comparison, version)
        }
    }

    // MARK: - Options of personas

    /// `options.x` and `x` are the same; the long form names one that is called like a term.
    private static func option(_ term: String) -> String {
        term.hasPrefix("options.") ? String(term.dropFirst(8)) : term
    }

    private var options: [ScriptOption] {
        vocabulary.personas.joined().flatMap(\.options) + vocabulary.brought
    }

    private var optionNames: [String] {
        options.map(\.name).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// What the value of an option must be, by the kind of the first that there is.
    private mutating func option(
        _ name: String, _ comparison: Comparison, at token: ConditionToken
    ) throws(ConditionError) -> DeviceCondition {
        switch options.first(where: { $0.name == name })?.value {
        case .number?:
            return .option(OptionTest(name, comparison, .number(try number(for: name))))
        case .boolean?:
            let isEqual = try isEqual(comparison, name, at: token)
            let isTrue = try member(of: ["true", "false"], "value") == "true"
            return .option(OptionTest(name, isEqual ? .equal : .notEqual, .boolean(isTrue)))
        case .string?, nil:
            let isEqual = try isEqual(comparison, name, at: token)
            let (text, _) = try self.name(of: "a text")
            return .option(OptionTest(name, isEqual ? .equal : .notEqual, .string(text)))
        }
    }
}
