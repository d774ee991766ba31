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

    /// The lines, indented by two. A table too wide for `width` shortens its first column, down
    /// to twelve characters; what is too wide even then stays so.
    func lines(width: Int, style: TextStyle) -> [String] {
        let titles = titleRows
        var widths = columns.indices.map { column in
            (titles + rows).map { $0[column].count }.max() ?? 0
        }
        let whole = 2 + widths.reduce(0, +) + 2 * (columns.count - 1)
        if whole > width, let first = widths.first, first > 12 {
            widths[0] = max(12, first - (whole - width))
        }
        return titles.map { line($0, widths, style: style, isTitle: true) }
            + rows.map { line($0, widths, style: style, isTitle: false) }
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
            let text = shortened(cell, to: widths[column])
            let padding = widths[column] - text.count
            if columns[column].isNumber { owed += padding }
            if !text.isEmpty {
                let isDim = isTitle || columns[column].isDim
                line += String(repeating: " ", count: owed) + (isDim ? style.dim(text) : text)
                owed = 0
            }
            owed += 2 + (columns[column].isNumber ? 0 : padding)
        }
        return line
    }

    private func shortened(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(width - 1) + "…"
    }
}
