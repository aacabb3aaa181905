package import HearthStorage

/// A connection to a database that is inside a transaction. Each engine implements it.
///
/// Statements are written in what SQLite and PostgreSQL share; `SQLDialect` has the rest. `?` is the next parameter, and
/// `?1` the first. One thread at a time.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }

    /// Runs a statement with its parameters; returns how many rows it changed.
    @discardableResult
    func run(_ sql: String, _ parameters: [SQLValue]) throws(StorageError) -> Int

    /// Every row, decoded.
    func rows<Value>(
        _ sql: String, _ parameters: [SQLValue], _ decode: (any SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value]

    /// Gives `body` row by row, without keeping them. Once it has thrown, the connection may not be used any more.
    func forEachRow(
        _ sql: String, _ parameters: [SQLValue], _ body: (any SQLRow) throws(StorageError) -> Void
    ) throws(StorageError)
}

extension SQLConnection {
    @discardableResult
    package func run(_ sql: String) throws(StorageError) -> Int { try run(sql, []) }

    package func rows<Value>(
        _ sql: String, _ decode: (any SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        try rows(sql, [], decode)
    }

    package func row<Value>(
        _ sql: String, _ parameters: [SQLValue] = [], _ decode: (any SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        try rows(sql, parameters, decode).first
    }

    /// The only value of the first row; nil if there is none, or for NULL.
    package func integer(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> Int64? {
        try row(sql, parameters) { row in row.optionalInteger(0) } ?? nil
    }

    /// The only value of the first row; nil if there is none, or for NULL.
    package func text(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> String? {
        try row(sql, parameters) { row in row.optionalText(0) } ?? nil
    }

    /// The only value of each row.
    package func integers(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> [Int64] {
        try rows(sql, parameters) { row in row.integer(0) }
    }

    /// The only value of each row.
    package func texts(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> [String] {
        try rows(sql, parameters) { row in row.text(0) }
    }
}

/// What an engine writes in its own way.
package struct SQLDialect: Sendable {
    /// Joins the tables of a statement in the order in which it names them, if the engine does not find the order.
    package var orderedJoin: String
    /// Counts the installations of the project that is the parameter, without looking at each.
    package var installationCount: String

    package init(orderedJoin: String, installationCount: String) {
        self.orderedJoin = orderedJoin
        self.installationCount = installationCount
    }
}

/// A parameter of a statement.
package enum SQLValue: Sendable {
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    case null

    package static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
    package static func optional(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }
    package static func optional(_ number: Int?) -> SQLValue { number.map { .int($0) } ?? .null }
    package static func int(_ number: Int) -> SQLValue { .integer(Int64(number)) }
}

/// A row of an answer, valid until the next one. Columns count from 0.
///
/// A missing value (NULL) reads as 0 or as the empty text, except by the functions that return an optional. A truth value
/// reads as 0 or 1.
package protocol SQLRow {
    func integer(_ column: Int32) -> Int64
    func real(_ column: Int32) -> Double
    func optionalInteger(_ column: Int32) -> Int64?
    func bytes(_ column: Int32) -> [UInt8]
    func optionalText(_ column: Int32) -> String?
}

extension SQLRow {
    package func text(_ column: Int32) -> String { optionalText(column) ?? "" }
}
