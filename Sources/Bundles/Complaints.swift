import JSONText

/// What is wrong with a scenario: everything at once, so that the first in the text can be told.
///
/// A class, because every part of the decoder adds to the same list.
final class Complaints {
    /// As the person named it.
    let file: String
    private let text: [UInt8]
    private var entries: [Entry] = []
    /// Keys that were not even looked at, because one object had too many.
    var untold = 0

    private struct Entry {
        let origin: Setting.Origin
        let code: BundleError.Code
        let key: String
        let message: String
        /// About another file, which the value at `origin` names.
        var other: BundleError?

        /// The place in the text; the command line comes first.
        var rank: Int { if case .text(let offset) = origin { offset } else { -1 } }
    }

    init(file: String, text: [UInt8]) { (self.file, self.text) = (file, text) }

    var isEmpty: Bool { entries.isEmpty }

    /// In the order of the text; what the command line gave comes first. At most `shownMax`, and
    /// one more that says how many others there are.
    ///
    /// Lines and columns are counted only here: each takes the text up to it.
    var errors: [BundleError] {
        let sorted = entries.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        var errors = sorted.prefix(Self.shownMax).map { _, entry in
            if let other = entry.other { return other }
            let (place, position) = place(of: entry.origin)
            return BundleError(
                entry.code, place: place, line: position?.line, column: position?.column,
                key: entry.key, entry.message)
        }
        let rest = sorted.count - errors.count + untold
        if rest > 0 {
            let line = errors.compactMap(\.line).max()
            var more = BundleError(
                .tooMany, place: file, line: line, "and \(grouped(rest)) more that are not told")
            more.count = rest
            errors.append(more)
        }
        return errors
    }

    /// More complaints about one scenario are of no use to anybody.
    static let shownMax = 100

    func add(
        _ code: BundleError.Code, _ origin: Setting.Origin, key: String, _ message: String
    ) {
        entries.append(Entry(origin: origin, code: code, key: key, message: message))
    }

    /// About another file, which the value at `origin` names.
    func add(_ error: BundleError, for origin: Setting.Origin) {
        entries.append(
            Entry(
                origin: origin, code: error.code, key: error.key, message: error.message,
                other: error))
    }

    /// Takes over what is wrong with an arm alone.
    func take(_ others: Complaints, arm: String) {
        untold += others.untold
        entries += others.entries.map { entry in
            guard entry.other == nil else { return entry }
            return Entry(
                origin: entry.origin, code: entry.code, key: entry.key,
                message: "in arm \(quoted(arm)): \(entry.message)")
        }
    }

    func place(of origin: Setting.Origin) -> (String, TextPosition?) {
        switch origin {
        case .text(let offset): (file, TextPosition(of: offset, in: text))
        case .option(let name): (name, nil)
        }
    }
}

/// "there is no …", with the nearest name and what exists; a long list only where nothing is near.
///
/// - Parameter owner: what should have it, such as " in archetype.lua".
func unknown(
    _ kind: String, _ name: String, among names: [String], owner: String = ""
) -> String {
    let near = nearest(to: name, among: names)
    let meant = near.map { "; did you mean \(quoted($0))?" } ?? ";"
    let start = "there is no \(kind) \(quoted(String(name.prefix(64))))\(owner)\(meant)"
    if near != nil, names.count > 12 { return start }
    return start + (names.isEmpty ? " there are none" : " there are: \(listed(names))")
}

/// Digits in groups of three: 100,000,000.
func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = ""
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text += "," }
        text.append(digit)
    }
    return (number < 0 ? "-" : "") + text
}

/// Without ".0" where there is no fraction, in groups where it is a whole number.
func grouped(_ number: Double) -> String {
    if number == number.rounded(), abs(number) < 1e15 { return grouped(Int64(number)) }
    return "\(number)"
}
