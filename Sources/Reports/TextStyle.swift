import JSONText

/// Bold headings and dim side remarks, where the terminal has them.
struct TextStyle {
    var isColored: Bool

    func bold(_ text: String) -> String { isColored ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    func dim(_ text: String) -> String { isColored ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
    /// What somebody should look into.
    func alarming(_ text: String) -> String { isColored ? "\u{1B}[31m\(text)\u{1B}[0m" : text }
}

/// A table whose columns are as wide as what they hold.
struct TextTable {
    struct Column {
        /// Lines of the heading, split at line feeds.
        var title: String
        var isNumber: Bool
        var isDim: Bool

        /// Words, from the left.
        static func words(_ title: String = "", isDim: Bool = false) -> Column {
            Column(title: title, isNumber: false, isDim: isDim)
        }
        /// Figures, from the right.
        static func number(_ title: String = "", isDim: Bool = false) -> Column {
            Column(title: title, isNumber: true, isDim: isDim)
        }
    }

    var columns: [Column]
    /// Each with a cell a column.
    var rows: [[String]] = []

    init(_ columns: [Column]) { self.columns = columns }

    /// The lines, indented by two.
    ///
    /// Where the table is too wide for `width`, its first column narrows to its title, or twelve
    /// characters, and what does not fit into it has a line of its own, above the rest of its row.
    ///
    /// - Parameter below: lines that follow a row, by its number.
    func lines(
        width: Int, style: TextStyle, below: (Int) -> [String] = { _ in [] }
    ) -> [String] {
        let titles = titleRows
        let rows = rows.map { $0.map(printable) }
        var widths = columns.indices.map { column in
            (titles + rows).map { $0[column].count }.max() ?? 0
        }
        let whole = wholeWidth(widths)
        let narrowest = max(12, titles.map { $0[0].count }.max() ?? 0)
        if whole > width, let first = widths.first, first > narrowest {
            widths[0] = max(narrowest, first - (whole - width))
        }
        return titles.map { line($0, widths, style: style, isTitle: true) }
            + rows.enumerated().flatMap { number, row -> [String] in
                guard let name = row.first, name.count > widths[0] else {
                    return [line(row, widths, style: style, isTitle: false)] + below(number)
                }
                let rest = [""] + row.dropFirst()
                return ["  " + name, line(rest, widths, style: style, isTitle: false)]
                    + below(number)
            }
    }

    /// Characters of the widest line.
    var width: Int {
        wholeWidth(
            columns.indices.map { column in
                (titleRows + rows).map { $0[column].count }.max() ?? 0
            })
    }

    private func wholeWidth(_ widths: [Int]) -> Int {
        2 + widths.reduce(0, +) + 2 * (columns.count - 1)
    }

    /// Titles of several lines stand on the bottom line.
    private var titleRows: [[String]] {
        let parts = columns.map { $0.title.split(separator: "\n").map(String.init) }
        let height = parts.map(\.count).max() ?? 0
        return (0..<height).map { row in
            parts.map { lines in
                let place = row - (height - lines.count)
                return place >= 0 ? lines[place] : ""
            }
        }
    }

    private func line(
        _ cells: [String], _ widths: [Int], style: TextStyle, isTitle: Bool
    ) -> String {
        var line = ""
        var owed = 2  // Spaces not yet written: none at the end of a line.
        for (column, cell) in zip(columns.indices, cells) {
            let padding = widths[column] - cell.count
            if columns[column].isNumber { owed += padding }
            if !cell.isEmpty {
                let isDim = isTitle || columns[column].isDim
                line += String(repeating: " ", count: owed) + (isDim ? style.dim(cell) : cell)
                owed = 0
            }
            owed += 2 + (columns[column].isNumber ? 0 : padding)
        }
        return line
    }
}
