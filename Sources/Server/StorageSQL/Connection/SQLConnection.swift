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
        _ sql: String, _ parameters: [SQLValue], _ decode: (SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value]

    /// Gives `body` row by row, without keeping them. Once it has thrown, the connection may not be used any more.
    func forEachRow(
        _ sql: String, _ parameters: [SQLValue], _ body: (SQLRow) throws(StorageError) -> Void
    ) throws(StorageError)
}

extension SQLConnection {
    @discardableResult
    package func run(_ sql: String) throws(StorageError) -> Int { try run(sql, []) }

    package func rows<Value>(
        _ sql: String, _ decode: (SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        try rows(sql, [], decode)
    }

    package func row<Value>(
        _ sql: String, _ parameters: [SQLValue] = [], _ decode: (SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> Value? {
        try rows(sql, parameters, decode).first
    }

    /// The only value of the first row; nil if there is none, or for NULL.
    package func integer(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> Int64? {
        try row(sql, parameters) { row in row.onlyInteger } ?? nil
    }

    /// The only value of the first row; nil if there is none, or for NULL.
    package func text(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> String? {
        try row(sql, parameters) { row in row.onlyText } ?? nil
    }

    /// The only value of each row.
    package func integers(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> [Int64] {
        try rows(sql, parameters) { row in row.onlyInteger ?? 0 }
    }

    /// The only value of each row.
    package func texts(_ sql: String, _ parameters: [SQLValue] = []) throws(StorageError) -> [String] {
        try rows(sql, parameters) { row in row.onlyText ?? "" }
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
