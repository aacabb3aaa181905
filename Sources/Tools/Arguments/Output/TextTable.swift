/// Rows of text in aligned columns under a header.
public struct TextTable: Sendable, CustomStringConvertible {
    /// A column's title and the side its cells keep to.
    public struct Column: ExpressibleByStringLiteral, Sendable {
        let title: String
        let isRightAligned: Bool

        /// A column of text, left-aligned.
        public init(stringLiteral title: String) {
            self.init(title: title, isRightAligned: false)
        }

        /// A column of numbers, right-aligned.
        public static func number(_ title: String) -> Column {
            Column(title: title, isRightAligned: true)
        }

        private init(title: String, isRightAligned: Bool) {
            self.title = title
            self.isRightAligned = isRightAligned
        }
    }

    private let columns: [Column]
    private var rows: [[String]] = []

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
    public var description: String { Self.text([columns.map(\.title)] + rows, columns) }

    /// The same for a terminal that is `width` columns wide: what does not fit is cut off, with an `…` in its place.
    ///
    /// - Parameter longestCell: the width that a cell keeps, except in the last column, which has what is left.
    public func description(width: Int, longestCell: Int = 32) -> String {
        let cut = rows.map { row in row.dropLast().map { $0.truncated(to: longestCell) } + row.suffix(1) }
        let lines = Self.text([columns.map(\.title)] + cut, columns).split(
            separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0).truncated(to: width) }.joined(separator: "\n")
    }

    private static func text(_ lines: [[String]], _ columns: [Column]) -> String {
        let widths = columns.indices.map { column in lines.map { $0[column].displayWidth }.max() ?? 0 }
        return lines.map { line in
            let cells = columns.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - line[column].displayWidth)
                return columns[column].isRightAligned ? padding + line[column] : line[column] + padding
            }
            let text = cells.joined(separator: "  ")
            return String(text.prefix(upTo: text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex))
        }.joined(separator: "\n")
    }
}
