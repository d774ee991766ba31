/// `text` without what would move a terminal's cursor or change its colors: names come from
/// files and scripts, and those may be anybody's. One line: newlines and tabs become spaces.
public func printable(_ text: String) -> String {
    let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var plain = ""
    for scalar in text.unicodeScalars {
        let isSpace = scalar == "\n" || scalar == "\t"
        plain.unicodeScalars.append(isSpace ? " " : isControl(scalar) ? "\u{FFFD}" : scalar)
    }
    return plain
}
