/// A table with a caption, in a box that scrolls sideways on narrow screens.
struct DataTable {
    private let title: String
    private let columns: [String]
    private let showsTitle: Bool

    /// - Parameter showsTitle: whether everyone sees the caption; screen readers always read it.
    init(_ title: String, _ columns: [String], showsTitle: Bool = false) {
        self.title = title
        self.columns = columns
        self.showsTitle = showsTitle
    }

    /// - Parameter cells: as many as there are columns; the first one names the row.
    func rows<Item>(_ items: [Item], _ cells: (Item) throws -> [Markup]) rethrows -> Markup {
        let rows = try items.map(cells)
        return div(.class("scroll"), Attribute("role", "region"), .label(title), Attribute("tabindex", "0")) {
            table {
                caption(.class(showsTitle ? "" : "hidden")) { title }
                thead { tr { columns.map { column in th { column } } } }
                tbody {
                    rows.map { cells in
                        tr {
                            if let first = cells.first { rowHead { first } }
                            cells.dropFirst().map { cell in td { cell } }
                        }
                    }
                }
            }
        }
    }
}
