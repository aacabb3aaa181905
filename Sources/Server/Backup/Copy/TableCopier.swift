import Foundation
import HearthCrypto
import HearthStorage
import HearthStorageSQL

/// How far a table is copied, as the target records it with the rows themselves.
struct CopyCursor: Codable, Equatable {
    /// A value of a key.
    enum Value: Codable, Equatable {
        case integer(Int64)
        case text(String)
    }

    var rows: Int64 = 0
    /// The key of the last row; nil before the first.
    var last: [Value]?
    var isDone = false
}

/// Copies the rows of tables in batches. Each batch is committed together with the place that it reached, so that a copy
/// that was ended at any moment continues there.
struct TableCopier {
    let source: any TableConnection
    let target: any TableConnection
    var progress: (_ rows: Int) throws -> Void = { _ in }

    /// Memory holds one batch.
    private static let batchRows = 4000
    private static let batchBytes = 4 << 20

    /// The source must be inside a transaction that reads.
    ///
    /// - Returns: how many rows the table has.
    func copy(_ table: CopiedTable) throws -> Int64 {
        var cursor = try self.cursor(of: table)
        guard !cursor.isDone else { return cursor.rows }
        let keys = (cursor.last ?? []).map(\.parameter)
        var batch: [[SQLValue]] = []
        var bytes = 0
        var failure: (any Error)?
        do throws(StorageError) {
            try source.forEachRow(table.selection(after: cursor.last != nil), keys) { (row) throws(StorageError) in
                let values = table.values(row)
                batch.append(values)
                bytes += values.reduce(0) { $0 + $1.byteCount }
                guard batch.count >= Self.batchRows || bytes >= Self.batchBytes else { return }
                do {
                    try write(&batch, table, &cursor)
                } catch {
                    failure = error
                    throw StorageError(.io, "The copy ends here")
                }
                bytes = 0
            }
        } catch {
            throw failure ?? error
        }
        cursor.isDone = true
        try write(&batch, table, &cursor)
        return cursor.rows
    }

    func cursor(of table: CopiedTable) throws -> CopyCursor {
        let text = try target.text("SELECT value FROM data_mark WHERE name = ?", [.text(Self.mark(table.name))])
        guard let text else { return CopyCursor() }
        return try JSONDecoder().decode(CopyCursor.self, from: Data(text.utf8))
    }

    private static func mark(_ table: String) -> String { "copied \(table)" }

    private func write(_ batch: inout [[SQLValue]], _ table: CopiedTable, _ cursor: inout CopyCursor) throws {
        if let last = batch.last { cursor.last = try table.key.map { try CopyCursor.Value(last[$0], table) } }
        cursor.rows += Int64(batch.count)
        let text = String(decoding: try JSONEncoder().encode(cursor), as: UTF8.self)
        do {
            try target.writing {
                try insert(batch, table)
                try target.run(
                    """
                    INSERT INTO data_mark (name, value) VALUES (?, ?)
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """, [.text(Self.mark(table.name)), .text(text)])
            }
        } catch let error as StorageError {
            let key = batch.first.map { row in table.key.map { row[$0].summary }.joined(separator: ", ") } ?? ""
            throw StorageError(
                error.code, "Cannot copy rows of the table \(table.name), which begin at \(key): \(error)", cause: error
            )
        }
        try progress(batch.count)
        batch.removeAll(keepingCapacity: true)
    }

    private func insert(_ batch: [[SQLValue]], _ table: CopiedTable) throws(StorageError) {
        let most = target.rowsPerInsert
        var start = 0
        while start < batch.count {
            // Two statements for each table, so that they are prepared once.
            let count = batch.count - start >= most ? most : 1
            try target.run(table.insertion(rows: count), batch[start..<start + count].flatMap { $0 })
            start += count
        }
    }
}

/// What a table contains, in one hash.
struct TableDigest: Equatable {
    private(set) var rows: Int64 = 0
    private(set) var sha256 = ""

    /// Reads the whole table.
    init(of table: CopiedTable, in connection: any TableConnection) throws(StorageError) {
        var hasher = SHA256Hasher()
        var count: Int64 = 0
        var buffer: [UInt8] = []
        func flush() {
            buffer.withUnsafeBytes { hasher.update($0) }
            buffer.removeAll(keepingCapacity: true)
        }
        try connection.forEachRow(table.selection(after: false), []) { (row) throws(StorageError) in
            count += 1
            for value in table.values(row) { value.append(to: &buffer) }
            if buffer.count > 1 << 16 { flush() }
        }
        flush()
        (rows, sha256) = (count, hasher.finalize().hex)
    }
}

extension CopyCursor.Value {
    fileprivate init(_ value: SQLValue, _ table: CopiedTable) throws {
        switch value {
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .real, .bytes, .null:
            throw StorageError(.corrupt, "The table \(table.name) has a row whose key is no text and no number")
        }
    }

    fileprivate var parameter: SQLValue {
        switch self {
        case .integer(let number): .integer(number)
        case .text(let text): .text(text)
        }
    }
}

extension SQLValue {
    fileprivate var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count + 16
        case .bytes(let bytes): bytes.count + 16
        case .integer, .real, .null: 16
        }
    }

    fileprivate var summary: String {
        switch self {
        case .text(let text): "'\(text.prefix(40))'"
        case .integer(let number): "\(number)"
        case .real, .bytes, .null: "?"
        }
    }

    /// Unambiguously: with its kind and its length.
    fileprivate func append(to buffer: inout [UInt8]) {
        func append(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) } }
        switch self {
        case .null: buffer.append(0)
        case .integer(let number):
            buffer.append(1)
            append(UInt64(bitPattern: number))
        case .real(let number):
            buffer.append(2)
            append(number.bitPattern)
        case .text(let text):
            buffer.append(3)
            append(UInt64(text.utf8.count))
            buffer.append(contentsOf: text.utf8)
        case .bytes(let bytes):
            buffer.append(4)
            append(UInt64(bytes.count))
            buffer.append(contentsOf: bytes)
        }
    }
}
