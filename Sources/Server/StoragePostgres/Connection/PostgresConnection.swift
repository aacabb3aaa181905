import CPostgres
import Foundation
import Glibc
import HearthStorage
import HearthStorageSQL

/// One connection to PostgreSQL. It owns the handle. Its users ensure that only one thread uses it at a time.
///
/// Every wait has an end: a server that stops answering counts as lost.
final class PostgresConnection: SQLConnection {
    let dialect = SQLDialect(
        // PostgreSQL finds the order by itself.
        orderedJoin: "JOIN",
        installationCount: "SELECT coalesce(sum(count), 0) FROM installation_count WHERE project = ?")

    private let handle: OpaquePointer
    private let patience: Duration
    /// Nil for connections that find out for themselves whether the database answers.
    private let heartbeat: PostgresHeartbeat?
    /// By their text.
    private var prepared: [String: PreparedStatement] = [:]
    /// Statements that are composed at run time must not fill the server's memory.
    private static let preparedLimit = 1000
    /// The first failure since the transaction began.
    private(set) var failure: PostgresFailure?
    /// Whether the connection can be used again. Once false, it stays false.
    private(set) var isUsable = true
    /// How often the database had been replaced when the connection began; nil for one that is used however often that is.
    private var origin: (history: PostgresHistory, replacements: UInt64)?

    /// Whether the database turned out to be another one since the connection began. Then it may lead to the former one, and
    /// every statement fails as if the connection were lost.
    var isOutdated: Bool { origin.map { $0.history.replacements != $0.replacements } ?? false }

    /// - Parameters:
    ///   - heartbeat: what ends waits early.
    ///   - history: what ends the use of the connection when the database is another one.
    ///   - patienceSeconds: how long a statement may take; more than the server allows by default, because the server gives
    ///     up first and says why.
    /// - Throws: `.unavailable` if the server cannot be reached, `.io` if it refuses the user.
    init(
        _ configuration: PostgresConfiguration, heartbeat: PostgresHeartbeat? = nil,
        history: PostgresHistory? = nil, patienceSeconds: Int? = nil
    ) throws(StorageError) {
        self.heartbeat = heartbeat
        // Before the attempt, during which the address may begin to lead elsewhere.
        let replacements = history?.replacements ?? 0
        let parameters = configuration.parameters
        let opened = Self.withCStrings(parameters.map(\.0)) { keywords in
            Self.withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let opened else { throw StorageError(.unavailable, "Cannot connect to PostgreSQL: out of memory") }
        handle = opened
        patience = .seconds(patienceSeconds ?? configuration.statementSeconds + 5)
        guard PQstatus(handle) == CONNECTION_OK else {
            throw Self.refusal(Self.text(PQerrorMessage(handle)), configuration)
        }
        hearth_pg_ignore_notices(handle)
        PQsetnonblocking(handle, 1)
        try execute(
            """
            SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
            SET statement_timeout = '\(configuration.statementSeconds)s'; SET lock_timeout = '\(configuration.lockSeconds)s';
            SET idle_in_transaction_session_timeout = '120s'; SET standard_conforming_strings = on;
            SET bytea_output = 'hex'; SET timezone = 'UTC'
            """)
        origin = history.map { (history: $0, replacements: replacements) }
    }

    deinit { PQfinish(handle) }

    var socket: Int32 { PQsocket(handle) }

    /// The number of the server's version, as 150018 for 15.18.
    var serverVersion: Int32 { PQserverVersion(handle) }

    /// A wrong password or a missing database stay as they are until somebody changes something; all others may end.
    private static func refusal(_ message: String, _ configuration: PostgresConfiguration) -> StorageError {
        let isFinal = ["password", "authentication failed", "does not exist", "certificate", "no pg_hba.conf entry"]
            .contains { message.contains($0) }
        return StorageError(
            isFinal ? .io : .unavailable, "Cannot connect to \(configuration.place): \(message)")
    }

    /// Begins a transaction.
    func begin(_ sql: String) throws(StorageError) {
        failure = nil
        try execute(sql)
    }

    /// Begins a transaction that changes records.
    ///
    /// The lock comes before the transaction sees anything. So whoever sets the mark waits for all changes that do not see
    /// it, and after that there are none.
    ///
    /// - Throws: `.readOnly` if they must not be changed. The transaction has begun nevertheless.
    func beginChange() throws(StorageError) {
        failure = nil
        let sql = """
            BEGIN ISOLATION LEVEL SERIALIZABLE; LOCK TABLE data_mark IN ROW SHARE MODE;
            SELECT value FROM data_mark WHERE name = '\(DataMark.readOnly.rawValue)'
            """
        let reason = try withResult("begin a change", send: { PQsendQuery(handle, sql) }) {
            (result) throws(StorageError) in
            PQntuples(result) > 0 ? SQLRow(SQLColumns(of: result), PostgresRowValues(result)).text(.value) : nil
        }
        if let reason { throw ReadOnlyMark.refusal(reason) }
    }

    /// Undoes the transaction, as far as there is one. A connection that cannot is not used again.
    func rollback() {
        guard isUsable else { return }
        let first = failure
        if (try? execute("ROLLBACK")) == nil { isUsable = false }
        failure = first
    }

    /// Makes the transaction's changes durable.
    func commit() throws(StorageError) {
        let tag = try withResult("commit", send: { PQsendQuery(handle, "COMMIT") }) { (result) throws(StorageError) in
            Self.text(PQcmdStatus(result))
        }
        // The answer to COMMIT after a failed statement.
        guard tag == "COMMIT" else {
            throw failure?.error ?? StorageError(.io, "Cannot commit: the transaction had failed before")
        }
    }

    /// Runs SQL without parameters, whose rows, if any, do not matter.
    func execute(_ sql: String) throws(StorageError) {
        try withResult("run a statement", send: { PQsendQuery(handle, sql) }) { (_) throws(StorageError) in }
    }

    @discardableResult
    func run(_ sql: String, _ parameters: [SQLValue]) throws(StorageError) -> Int {
        try query(sql, parameters) { (_, result) throws(StorageError) in Int(Self.text(PQcmdTuples(result))) ?? 0 }
    }

    func rows<Value>(
        _ sql: String, _ parameters: [SQLValue], _ decode: (SQLRow) throws(StorageError) -> Value
    ) throws(StorageError) -> [Value] {
        try query(sql, parameters) { (statement, result) throws(StorageError) in
            let current = PostgresRowValues(result)
            let row = SQLRow(statement.columns(of: result), current)
            var values: [Value] = []
            values.reserveCapacity(Int(PQntuples(result)))
            for number in 0..<PQntuples(result) {
                current.number = number
                values.append(try decode(row))
            }
            return values
        }
    }

    /// Gives `body` row by row as they arrive. If it throws, the connection is not used again, because more rows come.
    func forEachRow(
        _ sql: String, _ parameters: [SQLValue], _ body: (SQLRow) throws(StorageError) -> Void
    ) throws(StorageError) {
        let statement = try prepare(sql)
        let encoded = try PostgresParameters(parameters)
        try checkUse()
        let isSent = encoded.withPointers { values, lengths, formats in
            PQsendQueryPrepared(handle, statement.name, Int32(parameters.count), values, lengths, formats, 0)
        }
        guard isSent == 1, PQsetSingleRowMode(handle) == 1 else { throw lost() }
        try flush(until: .now + patience)
        var refusal: StorageError?
        while let result = try next(until: .now + patience) {
            defer { PQclear(result) }
            if PQresultStatus(result) == PGRES_SINGLE_TUPLE {
                do throws(StorageError) {
                    try body(SQLRow(statement.columns(of: result), PostgresRowValues(result)))
                } catch {
                    isUsable = false
                    throw error
                }
            } else if Self.isError(result) {
                refusal = refusal ?? note(result, "run a statement")
            }
        }
        if let refusal { throw refusal }
    }

    /// Drops the notifications that arrived on the listened channels since the last call. Does not wait.
    ///
    /// - Throws: `.unavailable` if the connection is over.
    func dropNotifications() throws(StorageError) {
        guard PQconsumeInput(handle) == 1 else { throw lost() }
        while let notification = PQnotifies(handle) { PQfreemem(notification) }
    }

    private func query<Value>(
        _ sql: String, _ parameters: [SQLValue],
        _ body: (PreparedStatement, _ result: OpaquePointer) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        let statement = try prepare(sql)
        let encoded = try PostgresParameters(parameters)
        return try withResult(
            "run a statement",
            send: {
                encoded.withPointers { values, lengths, formats in
                    PQsendQueryPrepared(handle, statement.name, Int32(parameters.count), values, lengths, formats, 0)
                }
            }
        ) { (result) throws(StorageError) in try body(statement, result) }
    }

    private func prepare(_ sql: String) throws(StorageError) -> PreparedStatement {
        if let known = prepared[sql] { return known }
        if prepared.count >= Self.preparedLimit {
            try execute("DEALLOCATE ALL")
            prepared = [:]
        }
        let statement = PreparedStatement("s\(prepared.count)")
        let text = PostgresParameters.numbered(sql)
        try withResult("prepare a statement", send: { PQsendPrepare(handle, statement.name, text, 0, nil) }) {
            (_) throws(StorageError) in
        }
        prepared[sql] = statement
        return statement
    }

    /// Sends something and gives its last result to `body`, which must not keep it.
    private func withResult<Value>(
        _ operation: String, send: () -> Int32, _ body: (OpaquePointer) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        try checkUse()
        guard send() == 1 else { throw lost() }
        let deadline = ContinuousClock.now + patience
        try flush(until: deadline)
        var last: OpaquePointer?
        defer { PQclear(last) }
        while let result = try next(until: deadline) {
            // The first error counts: those after it only say that the transaction has failed.
            if let last, Self.isError(last) {
                PQclear(result)
            } else {
                PQclear(last)
                last = result
            }
        }
        guard let last else { throw lost() }
        if Self.isError(last) { throw note(last, operation) }
        return try body(last)
    }

    private func checkUse() throws(StorageError) {
        guard isUsable else { throw failure?.error ?? lost() }
        if isOutdated { throw lost("the database is another one now") }
    }

    private static func isError(_ result: OpaquePointer) -> Bool {
        ![PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(result))
    }

    private func note(_ result: OpaquePointer, _ operation: String) -> StorageError {
        let state = Self.text(PQresultErrorField(result, Int32(HEARTH_PG_SQLSTATE)))
        let message = Self.text(PQresultErrorField(result, Int32(HEARTH_PG_MESSAGE)))
        // Without a state, libpq itself has noticed that the connection is over.
        let found =
            state.isEmpty
            ? PostgresFailure(lost: Self.text(PQresultErrorMessage(result)))
            : PostgresFailure(state: state, message: message, operation)
        failure = failure ?? found
        if found.isLost || PQstatus(handle) != CONNECTION_OK { isUsable = false }
        return found.error
    }

    private func lost(_ message: String? = nil) -> StorageError {
        let text = message ?? Self.text(PQerrorMessage(handle))
        let found = PostgresFailure(lost: "The connection to PostgreSQL is over: \(text)")
        failure = failure ?? found
        isUsable = false
        return found.error
    }

    private func flush(until deadline: ContinuousClock.Instant) throws(StorageError) {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                try wait(for: Int16(POLLIN | POLLOUT), until: deadline)
                guard PQconsumeInput(handle) == 1 else { throw lost() }
            default: throw lost()
            }
        }
    }

    private func next(until deadline: ContinuousClock.Instant) throws(StorageError) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            try wait(for: Int16(POLLIN), until: deadline)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return PQgetResult(handle)
    }

    /// How often a wait looks at the heartbeat.
    private static let sliceMilliseconds = 200.0

    private func wait(for events: Int16, until deadline: ContinuousClock.Instant) throws(StorageError) {
        while true {
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0, heartbeat?.isAnswering ?? true else { throw lost("the server does not answer") }
            var waiting = pollfd(fd: PQsocket(handle), events: events, revents: 0)
            let count = poll(&waiting, 1, Int32(min(rest.rounded(.up), Self.sliceMilliseconds)))
            if count > 0 { return }
            guard count == 0 || errno == EINTR else { throw lost(String(cString: strerror(errno))) }
        }
    }

    /// libpq ends some of its texts with a line break.
    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }

    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
        text(pointer.map { UnsafePointer($0) })
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        let pointers = copies.map { UnsafePointer($0) } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            // Never empty: it ends with nil.
            buffer.baseAddress.map(body)!
        }
    }
}

/// A statement that the server knows by a name.
private final class PreparedStatement {
    let name: String
    private var knownColumns: SQLColumns?

    init(_ name: String) { self.name = name }

    func columns(of result: OpaquePointer) -> SQLColumns {
        let columns = knownColumns ?? SQLColumns(of: result)
        knownColumns = columns
        return columns
    }
}

extension SQLColumns {
    fileprivate convenience init(of result: OpaquePointer) {
        self.init((0..<PQnfields(result)).map { String(cString: PQfname(result, $0)) })
    }
}

/// The values of one row of a result, as text; valid until the result is freed.
private final class PostgresRowValues: SQLRowValues {
    private let result: OpaquePointer
    /// Of the row.
    var number: Int32 = 0

    init(_ result: OpaquePointer) { self.result = result }

    func optionalText(at place: Int32) -> String? {
        guard let bytes = value(at: place) else { return nil }
        let count = Int(PQgetlength(result, number, place))
        return bytes.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }

    func optionalInteger(at place: Int32) -> Int64? {
        guard let bytes = value(at: place) else { return nil }
        // Truth values are 't' and 'f'.
        if bytes[0] == UInt8(ascii: "t") { return 1 }
        return strtoll(bytes, nil, 10)
    }

    func integer(at place: Int32) -> Int64 { optionalInteger(at: place) ?? 0 }

    func real(at place: Int32) -> Double { value(at: place).map { strtod($0, nil) } ?? 0 }

    func bytes(at place: Int32) -> [UInt8] {
        guard let text = value(at: place) else { return [] }
        var count = 0
        let bytes = text.withMemoryRebound(to: UInt8.self, capacity: Int(PQgetlength(result, number, place))) {
            PQunescapeBytea($0, &count)
        }
        defer { PQfreemem(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }

    /// Nil for NULL.
    private func value(at place: Int32) -> UnsafeMutablePointer<CChar>? {
        PQgetisnull(result, number, place) == 0 ? PQgetvalue(result, number, place) : nil
    }
}
