import JSONText

/// What is wrong with a scenario: everything at once, so that the first in the text can be told.
///
/// A class, because every part of the decoder adds to the same list.
final class Complaints {
    /// As the person named it.
    let file: String
    private let text: [UInt8]
    private var entries: [(rank: Int, error: BundleError)] = []

    init(file: String, text: [UInt8]) { (self.file, self.text) = (file, text) }

    var isEmpty: Bool { entries.isEmpty }

    /// In the order of the text; what the command line gave comes first.
    var errors: [BundleError] {
        entries.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }.map(\.element.error)
    }

    func add(
        _ code: BundleError.Code, _ origin: Setting.Origin, key: String, _ message: String
    ) {
        let (place, position) = place(of: origin)
        let rank = if case .text(let offset) = origin { offset } else { -1 }
        entries.append(
            (
                rank,
                BundleError(
                    code, place: place, line: position?.line, column: position?.column, key: key,
                    message)
            ))
    }

    /// About another file, which the value at `origin` names.
    func add(_ error: BundleError, for origin: Setting.Origin) {
        let rank = if case .text(let offset) = origin { offset } else { -1 }
        entries.append((rank, error))
    }

    /// Takes over what is wrong with an arm alone.
    func take(_ others: Complaints, arm: String) {
        entries += others.entries.map { rank, error in
            let message = "in arm \(quoted(arm)): \(error.message)"
            return (
                rank,
                BundleError(
                    error.code, place: error.place, line: error.line, column: error.column,
                    key: error.key, message)
            )
        }
    }

    func place(of origin: Setting.Origin) -> (String, TextPosition?) {
        switch origin {
        case .text(let offset): (file, TextPosition(of: offset, in: text))
        case .option(let name): (name, nil)
        }
    }
}

/// "there is no … here", with the nearest name and what exists.
func unknown(_ kind: String, _ name: String, among names: [String]) -> String {
    let meant = nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" } ?? ";"
    let known = names.isEmpty ? "there are none" : "there are: \(listed(names))"
    return "there is no \(kind) \(quoted(String(name.prefix(64))))\(meant) \(known)"
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
