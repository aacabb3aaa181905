/// Rows of text in aligned columns under a header.
public struct TextTable: Sendable, CustomStringConvertible {
    /// A column's title, the side its cells keep to, and what becomes of it where there is no room for all.
    public struct Column: ExpressibleByStringLiteral, Sendable {
        let title: String
        let isRightAligned: Bool
        /// 0 stays; of the others the highest goes first.
        let yields: Int
        /// Whether its cells may be cut off.
        let shrinks: Bool

        /// A column of text, left-aligned, which stays whole.
        public init(stringLiteral title: String) {
            self.init(title: title, isRightAligned: false, yields: 0, shrinks: false)
        }

        /// A column of text, left-aligned.
        ///
        /// - Parameters:
        ///   - yields: 0 for a column that stays on a narrow terminal; of the others the highest is left out first.
        ///   - shrinks: whether its cells may be cut off there.
        public static func text(_ title: String, yields: Int = 0, shrinks: Bool = false) -> Column {
            Column(title: title, isRightAligned: false, yields: yields, shrinks: shrinks)
        }

        /// A column of numbers, right-aligned.
        public static func number(_ title: String, yields: Int = 0) -> Column {
            Column(title: title, isRightAligned: true, yields: yields, shrinks: false)
        }

        private init(title: String, isRightAligned: Bool, yields: Int, shrinks: Bool) {
            self.title = title
            self.isRightAligned = isRightAligned
            self.yields = yields
            self.shrinks = shrinks
        }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    public init(_ columns: [Column]) {
        self.columns = columns
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Missing cells stay empty, cells beyond the last column are dropped; line breaks and control
    /// characters in a cell are made harmless.
    public mutating func append(_ cells: [String]) {
        let cells = cells.prefix(columns.count).map(\.singleLine)
        rows.append(cells + Array(repeating: "", count: columns.count - cells.count))
    }

    /// The header and the rows, one line each, two spaces between columns, no newline at the end.
    public var description: String { text(TableLayout(self)) }

    /// The same for a terminal that is `width` columns wide; nil is a file or a pipe, which get everything.
    ///
    /// Where it does not fit, columns without anything in them go first, then cells are cut off (with an `…`), then the
    /// least important columns are left out.
    public func text(width: Int?) -> String {
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
