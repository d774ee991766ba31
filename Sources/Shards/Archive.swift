import JSONText

/// Values as JSON, in both directions: the same calls write what they later read, so the two cannot
/// drift apart. Whole numbers, texts, objects and lists alone.
struct Archive {
    /// What is read; nil: writing.
    private let node: JSONNode?
    private var members: [String] = []
    /// Where it stands in the file, for complaints.
    private let path: String
    /// No count is larger: those of all parts of a fleet can be added, and a few sums of these.
    let countMax: UInt64

    /// To be written to.
    init() { (node, path, countMax) = (nil, "", .max) }

    /// To be read from.
    init(_ node: JSONNode, at path: String = "", countMax: UInt64) {
        (self.node, self.path, self.countMax) = (node, path, countMax)
    }

    var isReading: Bool { node != nil }

    /// What was written, as the members of an object.
    var written: [String] { members }

    func wrong(_ name: String, _ due: String) -> ShardError {
        ShardError("\(place(name)): \(due)")
    }

    private func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func read(_ name: String) throws(ShardError) -> JSONNode? {
        guard let node else { return nil }
        guard let member = node[name] else { throw wrong(name, "is missing") }
        return member
    }

    private mutating func write(_ name: String, _ text: String) {
        members.append("\(quoted(name)): \(text)")
    }

    /// - Parameter max: the largest that is taken; nil: `countMax`.
    mutating func number<Number: FixedWidthInteger>(
        _ name: String, _ value: inout Number, max: Number? = nil
    ) throws(ShardError) {
        guard let node = try read(name) else { return write(name, "\(value)") }
        let max = max ?? Number(clamping: countMax)
        guard let number = node.number.flatMap({ Number($0) }), number <= max else {
            throw wrong(name, "a whole number up to \(max) is due")
        }
        value = number
    }

    mutating func text(_ name: String, _ value: inout String) throws(ShardError) {
        guard let node = try read(name) else { return write(name, quoted(value)) }
        guard let text = node.string else { throw wrong(name, "a text is due") }
        value = text
    }

    /// A word of a closed set.
    mutating func word<Word: RawRepresentable>(
        _ name: String, _ value: inout Word
    ) throws(ShardError) where Word.RawValue == String {
        var text = value.rawValue
        try self.text(name, &text)
        guard let word = Word(rawValue: text) else {
            throw wrong(name, "'\(text)' is no word for this")
        }
        value = word
    }

    /// - Parameter isFixed: as many are due as there are.
    mutating func numbers(
        _ name: String, _ values: inout [UInt64], isFixed: Bool = true, max: UInt64? = nil
    ) throws(ShardError) {
        guard let node = try read(name) else { return write(name, "\(values)") }
        let max = max ?? countMax
        let numbers = (node.array ?? []).compactMap { item in
            item.number.flatMap { UInt64($0) }.flatMap { $0 <= max ? $0 : nil }
        }
        guard numbers.count == node.array?.count, !isFixed || numbers.count == values.count else {
            throw wrong(
                name,
                "a list of \(isFixed ? "\(values.count) " : "")whole numbers up to \(max) is due")
        }
        values = numbers
    }

    mutating func texts(_ name: String, _ values: inout [String]) throws(ShardError) {
        guard let node = try read(name) else {
            return write(name, "[" + values.map(quoted).joined(separator: ", ") + "]")
        }
        let texts = (node.array ?? []).compactMap(\.string)
        guard texts.count == node.array?.count else { throw wrong(name, "a list of texts is due") }
        values = texts
    }

    mutating func object(
        _ name: String, _ body: (inout Archive) throws(ShardError) -> Void
    ) throws(ShardError) {
        var inner = try inside(read(name), place(name))
        try body(&inner)
        if !isReading { write(name, inner.object) }
    }

    /// As many objects as there are elements.
    mutating func list<Element>(
        _ name: String, _ elements: inout [Element],
        _ body: (inout Archive, inout Element) throws(ShardError) -> Void
    ) throws(ShardError) {
        let items = try read(name).map { $0.array ?? [] }
        if let items, items.count != elements.count {
            throw wrong(name, "a list of \(elements.count) is due")
        }
        var texts: [String] = []
        for index in elements.indices {
            var inner = inside(items?[index], "\(place(name))[\(index)]")
            try body(&inner, &elements[index])
            texts.append(inner.object)
        }
        if !isReading { write(name, "[" + texts.joined(separator: ", ") + "]") }
    }

    /// A list of any number of objects.
    ///
    /// - Parameter empty: what an element is before it is read.
    mutating func list<Element>(
        _ name: String, _ elements: inout [Element], of empty: Element,
        _ body: (inout Archive, inout Element) throws(ShardError) -> Void
    ) throws(ShardError) {
        if let node = try read(name) {
            guard let items = node.array else { throw wrong(name, "a list is due") }
            elements = [Element](repeating: empty, count: items.count)
        }
        try list(name, &elements, body)
    }

    private func inside(_ node: JSONNode?, _ path: String) -> Archive {
        node.map { Archive($0, at: path, countMax: countMax) } ?? Archive()
    }

    private var object: String { "{" + members.joined(separator: ", ") + "}" }
}
