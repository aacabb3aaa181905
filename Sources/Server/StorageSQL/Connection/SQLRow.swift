import Foundation
import HearthStorage

/// A row of an answer, read by the names of its columns. It is one object for all rows of the answer, and valid until the next.
///
/// A missing value (NULL) reads as 0 or as the empty text, except by the functions that return an optional. A truth value
/// reads as 0 or 1.
package final class SQLRow {
    /// By their places: for statements that are composed of a list of columns. All others use names.
    package let values: any SQLRowValues
    private let columns: SQLColumns

    package init(_ columns: SQLColumns, _ values: any SQLRowValues) { (self.columns, self.values) = (columns, values) }

    package func integer(_ column: SQLColumn) -> Int64 { values.integer(at: columns.place(of: column)) }
    package func real(_ column: SQLColumn) -> Double { values.real(at: columns.place(of: column)) }
    package func optionalInteger(_ column: SQLColumn) -> Int64? {
        values.optionalInteger(at: columns.place(of: column))
    }
    package func bytes(_ column: SQLColumn) -> [UInt8] { values.bytes(at: columns.place(of: column)) }
    package func optionalText(_ column: SQLColumn) -> String? { values.optionalText(at: columns.place(of: column)) }

    var onlyInteger: Int64? { values.optionalInteger(at: columns.onlyPlace) }
    var onlyText: String? { values.optionalText(at: columns.onlyPlace) }
}

/// The columns of a statement's answers. Their places are found once, and not for each row.
package final class SQLColumns: Sendable {
    private let names: [String]
    /// By the numbers of the columns.
    private let places: [Int32]

    private static let missing: Int32 = -1
    private static let several: Int32 = -2
    private static let byName = Dictionary(uniqueKeysWithValues: SQLColumn.allCases.map { ($0.stringValue, $0) })

    /// - Parameter names: as the engine gives them. A computed value without a name can only be read where it is alone.
    package init(_ names: [String]) {
        var places = [Int32](repeating: Self.missing, count: SQLColumn.allCases.count)
        for (place, name) in names.enumerated() {
            // SQLite spells a name as the table in the file does. Other capitals there must not end the process.
            guard let number = Self.byName[name.lowercased()]?.rawValue else { continue }
            places[number] = places[number] == Self.missing ? Int32(place) : Self.several
        }
        (self.names, self.places) = (names, places)
    }

    fileprivate func place(of column: SQLColumn) -> Int32 {
        let place = places[column.rawValue]
        precondition(place >= 0, "no column \(column.stringValue), or several, in an answer of \(names)")
        return place
    }

    fileprivate var onlyPlace: Int32 {
        precondition(names.count == 1, "not one column in an answer of \(names)")
        return 0
    }
}

/// The values of a row, as an engine has them, by their places in the answer from 0.
package protocol SQLRowValues: AnyObject {
    func integer(at place: Int32) -> Int64
    func real(at place: Int32) -> Double
    func optionalInteger(at place: Int32) -> Int64?
    func bytes(at place: Int32) -> [UInt8]
    func optionalText(at place: Int32) -> String?
}

extension SQLRow {
    package func text(_ column: SQLColumn) -> String { optionalText(column) ?? "" }
    package func int(_ column: SQLColumn) -> Int { Int(integer(column)) }
    package func optionalInt(_ column: SQLColumn) -> Int? { optionalInteger(column).map { Int($0) } }
    package func bool(_ column: SQLColumn) -> Bool { integer(column) != 0 }
    func isNull(_ column: SQLColumn) -> Bool { optionalInteger(column) == nil }

    /// A value of a closed set, stored as its name.
    func known<Value: RawRepresentable<String>>(_ column: SQLColumn) throws(StorageError) -> Value {
        let name = text(column)
        guard let value = Value(rawValue: name) else {
            throw StorageError(.corrupt, "The database holds an unknown \(Value.self) '\(name)'")
        }
        return value
    }

    func json<Value: Decodable>(_ column: SQLColumn) throws(StorageError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text(column).utf8))
        } catch {
            throw StorageError(.corrupt, "The database holds damaged JSON", cause: error)
        }
    }

    func size(_ column: SQLColumn) throws(StorageError) -> UInt64 {
        guard let size = UInt64(exactly: integer(column)) else {
            throw StorageError(.corrupt, "The database holds a negative size")
        }
        return size
    }

    func checksum(_ column: SQLColumn) throws(StorageError) -> UInt32? {
        guard let stored = optionalInteger(column) else { return nil }
        guard let checksum = UInt32(exactly: stored) else {
            throw StorageError(.corrupt, "The database holds a checksum out of range")
        }
        return checksum
    }
}
