import JSONText
import SimPrimitives

/// One value of a scenario with its path. Each reader returns nil after a complaint.
struct Field {
    let setting: Setting
    let path: String
    let complaints: Complaints

    /// "`claim`, not `value`".
    func refuse(_ claim: String, _ code: BundleError.Code = .invalidValue) {
        complain("\(claim), not \(setting.shown)", code)
    }

    func complain(_ message: String, _ code: BundleError.Code = .invalidValue) {
        complaints.add(code, setting.origin, key: path, message)
    }

    var isNull: Bool { if case .null = setting.value { true } else { false } }

    // MARK: - Plain values

    func bool() -> Bool? {
        guard case .bool(let bool) = setting.value else {
            refuse("true or false is due here")
            return nil
        }
        return bool
    }

    /// Text that is not empty and at most `bytesMax` long.
    func text(_ what: String, bytesMax: Int = ScenarioLimits.textBytesMax) -> String? {
        guard case .string(let text) = setting.value else {
            refuse("\(what) is text in quotes")
            return nil
        }
        guard !text.isEmpty else {
            complain("\(what) is not empty")
            return nil
        }
        guard text.utf8.count <= bytesMax else {
            complain(
                "\(what) has at most \(grouped(bytesMax)) bytes, this one has "
                    + grouped(text.utf8.count), .tooLarge)
            return nil
        }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            complain("\(what) has no control characters")
            return nil
        }
        return text
    }

    func name(_ what: String) -> String? { text(what, bytesMax: ScenarioLimits.nameBytesMax) }

    /// One of `words`.
    func word(among words: [String]) -> String? {
        guard case .string(let text) = setting.value else {
            refuse("one of these words is due here: \(listed(words))")
            return nil
        }
        guard words.contains(text) else {
            complain(unknown("word", text, among: words))
            return nil
        }
        return text
    }

    /// A finite number that `isAllowed` takes; `claim` says what it takes.
    func number(_ claim: String, _ isAllowed: (Double) -> Bool) -> Double? {
        guard case .number(let text) = setting.value, let number = Double(text), number.isFinite,
            isAllowed(number)
        else {
            refuse(claim)
            return nil
        }
        return number
    }

    func number(in range: ClosedRange<Double>) -> Double? {
        let bounds = "\(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
        return number("a number is due here, \(bounds)") { range.contains($0) }
    }

    func integer<Value: FixedWidthInteger>(
        _ what: String, in range: ClosedRange<Value>
    ) -> Value? {
        if case .number(let text) = setting.value {
            // Whole numbers may be written 1e6; those that a Double cannot hold are digits.
            let exact = Value(text) ?? Double(text).flatMap { Value(exactly: $0) }
            if let exact, range.contains(exact) { return exact }
        }
        let bounds = "\(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
        refuse("\(what) is a whole number, \(bounds)")
        return nil
    }

    func duration(
        _ what: String, from least: SimDuration = .zero, to most: SimDuration = .max
    ) -> SimDuration? {
        let example =
            "\(what) is text with a unit (ms, s, m, h, d, w), such as \"1h30m\" or \"30d\""
        guard case .string(let text) = setting.value, let duration = SimDuration(units: text)
        else {
            let isTooLong =
                if case .string(let text) = setting.value {
                    SimDuration.isTooLong(units: text)
                } else { false }
            refuse(
                isTooLong
                    ? "\(what) is at least \(least.inUnits) and at most \(most.inUnits)" : example)
            return nil
        }
        guard duration >= least, duration <= most else {
            refuse("\(what) is at least \(least.inUnits) and at most \(most.inUnits)")
            return nil
        }
        return duration
    }

    // MARK: - Lists and objects

    /// - Parameter what: of the elements, in the plural.
    func list(_ what: String, max: Int, min: Int = 0) -> [Field]? {
        guard case .list(let items) = setting.value else {
            refuse("a list of \(what) in [ ] is due here")
            return nil
        }
        guard items.count <= max else {
            complain(
                "there are at most \(grouped(max)) \(what), not \(grouped(items.count))", .tooMany)
            return nil
        }
        guard items.count >= min else {
            complain("the list of \(what) has at least \(min), not \(items.count)")
            return nil
        }
        return items.enumerated().map {
            Field(setting: $1, path: "\(path)[\($0)]", complaints: complaints)
        }
    }

    func fields() -> Fields? {
        guard case .table(let members) = setting.value else {
            refuse("an object in { } is due here")
            return nil
        }
        return Fields(members, path: path, origin: setting.origin, complaints)
    }
}

/// An object that is emptied member by member, so that what is left over can be named.
final class Fields {
    let path: String
    private let origin: Setting.Origin
    private var left: [Setting.Member]
    private var known: [String] = []
    private var missing: [(name: String, claim: String)] = []
    private let complaints: Complaints

    init(
        _ members: [Setting.Member], path: String, origin: Setting.Origin, _ complaints: Complaints
    ) {
        (self.left, self.path, self.origin) = (members, path, origin)
        self.complaints = complaints
    }

    func take(_ name: String) -> Field? {
        known.append(name)
        guard let index = left.firstIndex(where: { $0.name == name }) else { return nil }
        let member = left.remove(at: index)
        return Field(setting: member.setting, path: join(name), complaints: complaints)
    }

    /// Notes what is missing; it is reported unless a misspelt key explains it.
    func require(_ name: String, _ claim: String) -> Field? {
        let field = take(name)
        if field == nil { missing.append((name, claim)) }
        return field
    }

    /// Complains about keys that nobody has taken, else about those that are missing.
    func finish() {
        complaints.untold += max(0, left.count - Complaints.shownMax)
        for member in left.prefix(Complaints.shownMax) {
            complaints.add(
                .unknownKey, member.origin, key: join(member.name),
                unknown("key", member.name, among: known))
        }
        guard left.isEmpty else { return }
        for (name, claim) in missing {
            complaints.add(.missingKey, origin, key: join(name), "is missing: \(claim)")
        }
    }

    /// What is left, without a complaint: the values of a map whose names are free.
    func rest() -> [(name: String, origin: Setting.Origin, field: Field)] {
        defer { left = [] }
        return left.map {
            (
                $0.name, $0.origin,
                Field(setting: $0.setting, path: join($0.name), complaints: complaints)
            )
        }
    }

    private func join(_ name: String) -> String {
        let shown = name.isEmpty ? "\"\"" : String(name.prefix(64))
        return path.isEmpty ? shown : "\(path).\(shown)"
    }
}
