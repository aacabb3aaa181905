/// A table as its database describes it.
package struct StoredTable: Sendable, Equatable {
    package enum Kind: Sendable {
        case integer, real, text, bytes
    }

    package struct Column: Sendable, Equatable {
        package var name: String
        /// Nil for a type that no record has.
        package var kind: Kind?

        package init(_ name: String, _ kind: Kind?) { (self.name, self.kind) = (name, kind) }
    }

    package var name: String
    package var columns: [Column]
    /// The columns by which its rows are found and sorted.
    package var key: [String]
    /// The tables that its rows refer to.
    package var references: Set<String>

    package init(name: String, columns: [Column], key: [String], references: Set<String>) {
        (self.name, self.columns, self.key, self.references) = (name, columns, key, references)
    }
}
