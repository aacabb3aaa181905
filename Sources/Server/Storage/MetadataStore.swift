/// What the server stores besides bytes. Implemented with SQLite.
///
/// Reads see one consistent state. A write is one transaction, applied completely or not at all. Calls block, and come
/// from the HTTP server's threads, any number at once.
package protocol MetadataStore: Sendable {
    /// Grows with every committed change of what a serving snapshot contains: projects, accounts, keys, tokens, models,
    /// versions and releases; also with every change of the signing keys. Cheap to read. A snapshot that is read after the
    /// revision is at least as new.
    ///
    /// This process counts it: it grows whenever the database has something else than before, also if that is older. So it
    /// says nothing to another process.
    var servingRevision: UInt64 { get }
    /// The revision that the data have now, also if another server has changed them a moment ago. Asks the database of
    /// several servers.
    ///
    /// - Throws: `.unavailable` at once while this server hears nothing from the database.
    func currentServingRevision() throws -> UInt64
    /// Calls `body` whenever `servingRevision` has grown, on any thread. It must return at once, and not call the store.
    /// A store that no other server uses makes no calls: its changes are this server's own.
    func onServingChange(_ body: @escaping @Sendable () -> Void)

    /// Whether the store's engine has found damage in its files: later answers may be wrong. It stays true until the
    /// store is opened again. A single row that cannot be decoded does not count: it is an error of the call that reads
    /// it.
    var isDamaged: Bool { get }

    /// Why the records must not be changed now; nil if they may be. Cheap to read, and a second late at most.
    var readOnlyReason: String? { get }

    /// `readOnlyReason` as it was read last, which a server does about once a second. It waits for nothing.
    var lastReadOnlyReason: String? { get }

    /// What this server and others over the same data agree on.
    var coordination: any ServerCoordination { get }

    /// The connections to a database; nil where there are none.
    var databaseUse: DatabaseUse? { get }

    /// Nil for a database inside of this process, which always answers. Cheap to read.
    var contact: StoreContact? { get }

    /// The last time that the database turned out to be another one than before; nil if it never did. A database inside of
    /// this process stays the same.
    var replacement: DatabaseReplacement? { get }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Reads what is served, and what depends on it, to keep it in memory until `servingRevision` grows. The store then
    /// notices if another database takes over that lacks a change which `body` has seen, even if the server had not heard of
    /// that change before.
    func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Writers run one at a time. If `body` throws, the transaction is undone.
    ///
    /// - Throws: `.readOnly` while the records must not be changed.
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result
}

extension MetadataStore {
    package var coordination: any ServerCoordination { SoleServer() }
    package var databaseUse: DatabaseUse? { nil }
    package var readOnlyReason: String? { nil }
    package var lastReadOnlyReason: String? { readOnlyReason }
    package var contact: StoreContact? { nil }
    package var replacement: DatabaseReplacement? { nil }
    package func currentServingRevision() throws -> UInt64 { servingRevision }
    package func onServingChange(_ body: @escaping @Sendable () -> Void) {}
    package func readServed<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result { try read(body) }
}

/// Sizes as databases store them: as signed 64-bit integers.
package enum StoredSize {
    /// - Throws: `.tooLarge` if the size does not fit.
    package static func integer(_ bytes: UInt64) throws(StorageError) -> Int64 {
        guard let size = Int64(exactly: bytes) else {
            throw StorageError(.tooLarge, "A size of \(bytes) bytes cannot be stored")
        }
        return size
    }
}
