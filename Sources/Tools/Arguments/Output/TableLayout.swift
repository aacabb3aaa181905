/// Which columns of a table are shown, and how wide.
struct TableLayout {
    /// Indices of columns, in their order.
    private(set) var shown: [Int]
    /// Of every column, by its index.
    private(set) var widths: [Int]

    /// Between two columns.
    private static let gap = 2
    /// A shorter start of a text says nothing.
    private static let shortestCell = 12

    /// All of it.
    init(_ table: TextTable) {
        shown = Array(table.columns.indices)
        widths = table.columns.indices.map { column in
            table.rows.reduce(table.columns[column].title.displayWidth) { max($0, $1[column].displayWidth) }
        }
    }

    /// What fits `width`, as far as that is possible.
    init(_ table: TextTable, width: Int) {
        self.init(table)
        let yielding = table.columns.indices.filter { table.columns[$0].yields > 0 }
        for column in yielding where total > width && Self.isBare(column, table) { leaveOut(column) }
        let order = yielding.sorted { (table.columns[$0].yields, $0) > (table.columns[$1].yields, $1) }
        for column in order where smallest(table) > width { leaveOut(column) }
        shrink(table, to: width)
    }

    private var total: Int { shown.reduce(0) { $0 + widths[$1] } + Self.gap * max(0, shown.count - 1) }

    /// The width with all cells cut off as far as they may be.
    private func smallest(_ table: TextTable) -> Int {
        shown.reduce(total) { $0 - widths[$1] + Self.shortest(widths[$1], table.columns[$1]) }
    }

    private mutating func leaveOut(_ column: Int) { shown.removeAll { $0 == column } }

    /// The widest give way first, so that short texts stay whole.
    private mutating func shrink(_ table: TextTable, to width: Int) {
        var limit = shown.filter { table.columns[$0].shrinks }.map { widths[$0] }.max() ?? 0
        let full = widths
        // No cell of a line that fits is wider than the line.
        if total > width { limit = min(limit, max(width, Self.shortestCell)) }
        while total > width, limit >= Self.shortestCell {
            for column in shown where table.columns[column].shrinks {
                widths[column] = min(full[column], max(limit, Self.shortest(full[column], table.columns[column])))
            }
            limit -= 1
        }
        giveBack(table, full, width)
    }

    /// What is left of the line after the widest columns were cut alike.
    private mutating func giveBack(_ table: TextTable, _ full: [Int], _ width: Int) {
        for column in shown where table.columns[column].shrinks {
            widths[column] = min(full[column], widths[column] + max(0, width - total))
        }
    }

    private static func shortest(_ width: Int, _ column: TextTable.Column) -> Int {
        column.shrinks ? min(width, max(shortestCell, column.title.displayWidth)) : width
    }

    private static func isBare(_ column: Int, _ table: TextTable) -> Bool {
        table.rows.allSatisfy { $0[column].isEmpty || $0[column] == "-" }
    }
}
