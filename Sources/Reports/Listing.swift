/// A table of things that are alike, for a terminal.
public enum Listing {
    /// The table, ending with a newline; nothing but its headings where there are no rows.
    ///
    /// - Parameters:
    ///   - columns: their titles; figures stand on the right.
    ///   - rows: each with a cell a column.
    public static func text(
        _ columns: [(title: String, isNumber: Bool)], _ rows: [[String]], isColored: Bool = false
    ) -> String {
        var table = TextTable(
            columns.map { $0.isNumber ? .number($0.title) : .words($0.title) })
        table.rows = rows
        let lines = table.lines(width: .max, style: TextStyle(isColored: isColored))
        return lines.map { $0.drop { $0 == " " }.isEmpty ? "" : String($0.dropFirst(2)) + "\n" }
            .joined()
    }
}
