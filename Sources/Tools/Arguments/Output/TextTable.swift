/// Rows of text in aligned columns under a header.
package struct TextTable: Sendable, CustomStringConvertible {
    /// A column's title, the alignment of its cells, and what happens to it on a narrow terminal.
    package struct Column: ExpressibleByStringLiteral, Sendable {
        let title: String
        let isRightAligned: Bool
        /// 0 is never left out; of the others, the highest is left out first.
        let dropOrder: Int
        /// Whether its cells may be cut.
        let isTruncatable: Bool

        /// A column of text, left-aligned and never cut.
        package init(stringLiteral title: String) {
            self.init(title: title, isRightAligned: false, dropOrder: 0, isTruncatable: false)
        }

        /// A column of text, left-aligned.
        ///
        /// - Parameters:
        ///   - yields: 0 for a column that is never left out; of the others, the highest is left out first.
        ///   - shrinks: whether its cells may be cut.
        package static func text(_ title: String, dropOrder: Int = 0, isTruncatable: Bool = false) -> Column {
            Column(title: title, isRightAligned: false, dropOrder: dropOrder, isTruncatable: isTruncatable)
        }

        /// A column of numbers, right-aligned.
        package static func number(_ title: String, dropOrder: Int = 0) -> Column {
            Column(title: title, isRightAligned: true, dropOrder: dropOrder, isTruncatable: false)
        }

        private init(title: String, isRightAligned: Bool, dropOrder: Int, isTruncatable: Bool) {
            self.title = title
            self.isRightAligned = isRightAligned
            self.dropOrder = dropOrder
            self.isTruncatable = isTruncatable
        }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    package init(_ columns: [Column]) {
        self.columns = columns
    }

    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Missing cells stay empty, and surplus cells are dropped. Line breaks and control characters are made harmless.
    package mutating func append(_ cells: [String]) {
        let cells = cells.prefix(columns.count).map(\.singleLine)
        rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
    }

    /// The header and the rows, one line each, two spaces between columns, no newline at the end.
    package var description: String { text(TableLayout(self)) }

    /// The table for a terminal of this width; nil means a file or a pipe, which get everything.
    ///
    /// If the table is too wide, empty columns go first. Then cells are cut (with an `…`), and then the least important columns
    /// are left out.
    package func text(width: Int?) -> String {
        guard let width else { return description }
        return text(TableLayout(self, width: width)).split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).truncated(to: width) }.joined(separator: "\n")
    }

    private func text(_ layout: TableLayout) -> String {
        ([columns.map(\.title)] + rows).map { line in
            let cells = layout.shown.map { index in
                let cell = line[index].truncated(to: layout.widths[index])
                let padding = String(repeating: " ", count: layout.widths[index] - cell.displayWidth)
                return columns[index].isRightAligned ? padding + cell : cell + padding
            }
            let text = cells.joined(separator: "  ")
            return String(text.prefix(upTo: text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex))
        }.joined(separator: "\n")
    }
}

/// Which columns of a table are shown, and their widths.
struct TableLayout {
    /// The indices of the shown columns, in order.
    private(set) var shown: [Int]
    /// The width of every column, by its index.
    private(set) var widths: [Int]

    /// The spaces between two columns.
    private static let gap = 2
    /// The smallest width of a cut cell: a shorter beginning of a text has no value.
    private static let shortestCell = 12

    /// The whole table.
    init(_ table: TextTable) {
        shown = Array(table.columns.indices)
        widths = table.columns.indices.map { column in
            table.rows.reduce(table.columns[column].title.displayWidth) { max($0, $1[column].displayWidth) }
        }
    }

    /// The layout that fits `width`, as far as possible.
    init(_ table: TextTable, width: Int) {
        self.init(table)
        let yielding = table.columns.indices.filter { table.columns[$0].dropOrder > 0 }
        for column in yielding where total > width && Self.isEmptyColumn(column, table) { leaveOut(column) }
        let order = yielding.sorted { (table.columns[$0].dropOrder, $0) > (table.columns[$1].dropOrder, $1) }
        for column in order where smallest(table) > width { leaveOut(column) }
        shrink(table, to: width)
    }

    private var total: Int { shown.reduce(0) { $0 + widths[$1] } + Self.gap * max(0, shown.count - 1) }

    /// The width if all cells are cut to the minimum.
    private func smallest(_ table: TextTable) -> Int {
        shown.reduce(total) { $0 - widths[$1] + Self.shortest(widths[$1], table.columns[$1]) }
    }

    private mutating func leaveOut(_ column: Int) { shown.removeAll { $0 == column } }

    /// Cuts the widest columns first, so that short texts stay whole.
    private mutating func shrink(_ table: TextTable, to width: Int) {
        var limit = shown.filter { table.columns[$0].isTruncatable }.map { widths[$0] }.max() ?? 0
        let full = widths
        // No cell of a fitting line is wider than the line.
        if total > width { limit = min(limit, max(width, Self.shortestCell)) }
        while total > width, limit >= Self.shortestCell {
            for column in shown where table.columns[column].isTruncatable {
                widths[column] = min(full[column], max(limit, Self.shortest(full[column], table.columns[column])))
            }
            limit -= 1
        }
        redistribute(table, full, width)
    }

    /// The width that remains after the widest columns were cut equally.
    private mutating func redistribute(_ table: TextTable, _ full: [Int], _ width: Int) {
        for column in shown where table.columns[column].isTruncatable {
            widths[column] = min(full[column], widths[column] + max(0, width - total))
        }
    }

    private static func shortest(_ width: Int, _ column: TextTable.Column) -> Int {
        column.isTruncatable ? min(width, max(shortestCell, column.title.displayWidth)) : width
    }

    private static func isEmptyColumn(_ column: Int, _ table: TextTable) -> Bool {
        table.rows.allSatisfy { $0[column].isEmpty || $0[column] == "-" }
    }
}
