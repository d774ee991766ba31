import Bundles
import LuaScripting
import SimPrimitives

/// The arguments of one verb of a test, taken one after the other.
struct TestArguments {
    /// What is called, for messages: `tap`.
    let verb: String
    private let values: [TestValue]
    private var taken = 0

    init(_ verb: String, _ values: some Sequence<TestValue>) {
        (self.verb, self.values) = (verb, Array(values))
    }

    mutating func next() -> TestValue {
        defer { taken += 1 }
        return taken < values.count ? values[taken] : .none
    }

    /// Refuses what is left over.
    mutating func end() throws(TestRefusal) {
        guard let value = values.dropFirst(taken).first(where: { $0 != .none }) else { return }
        let known = taken == 0 ? "takes nothing" : "takes \(taken) value\(taken == 1 ? "" : "s")"
        throw TestRefusal("\(verb) \(known), not also \(value)")
    }

    mutating func text(_ what: String) throws(TestRefusal) -> String {
        let value = next()
        guard let text = value.text else {
            throw TestRefusal("\(verb) takes \(what), not \(value)")
        }
        return text
    }

    mutating func flag() throws(TestRefusal) -> Bool {
        let value = next()
        guard let flag = value.flag else {
            throw TestRefusal("\(verb) takes true or false, not \(value)")
        }
        return flag
    }

    /// One of the words of an enumeration.
    mutating func word<Word>(
        _ type: Word.Type, _ what: String
    ) throws(TestRefusal) -> Word
    where Word: CaseIterable & RawRepresentable, Word.RawValue == String {
        let text = try text(what)
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue)
            throw TestRefusal("\(verb): \(shown(text)) is not \(what)" + hint(text, among: known))
        }
        return word
    }

    /// Seconds, or text with a unit; `standard` where nothing is given.
    mutating func span(_ standard: SimDuration? = nil) throws(TestRefusal) -> SimDuration {
        let value = next()
        if value == .none, let standard { return standard }
        let span =
            value.number.map { SimDuration(seconds: $0) }
            ?? value.text.flatMap { SimDuration(units: $0) }
        guard let span = span ?? nil else {
            throw TestRefusal(
                "\(verb) takes seconds in 0 ... 3153600000 (a hundred years), or text such as "
                    + "\"2d\", \"90s\" or \"1h30m\"; not \(value)")
        }
        return span
    }

    /// A table of options with these names and no others.
    mutating func options(_ known: [String]) throws(TestRefusal) -> TestValue {
        let value = next()
        guard value != .none else { return .table([]) }
        guard case .table = value else {
            throw TestRefusal(
                "\(verb) takes options as a table such as { \(known[0]) = … }, not \(value)")
        }
        for entry in value.entries {
            let name = entry.key.text ?? "\(entry.key)"
            guard known.contains(name) else {
                throw TestRefusal(
                    "\(verb) has no option \(shown(name))" + hint(name, among: known))
            }
        }
        return value
    }
}

extension TestValue {
    /// A member that is true or false where it is given.
    func flag(_ name: String, or standard: Bool) throws(TestRefusal) -> Bool {
        let value = self[name]
        guard value != .none else { return standard }
        guard let flag = value.flag else {
            throw TestRefusal("\(name) is true or false, not \(value)")
        }
        return flag
    }

    /// A member that is a whole number where it is given, at least `least`. So small that counting
    /// goes on from it.
    func count(_ name: String, from least: UInt32) throws(TestRefusal) -> UInt32? {
        let countMax: UInt32 = 1_000_000
        let value = self[name]
        guard value != .none else { return nil }
        guard let number = value.number, let count = UInt32(exactly: number),
            (least...countMax).contains(count)
        else {
            throw TestRefusal("\(name) is a whole number in \(least) ... \(countMax), not \(value)")
        }
        return count
    }
}
