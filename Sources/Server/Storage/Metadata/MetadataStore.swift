/// What the server remembers besides bytes. Implementation: SQLite.
///
/// Reads see one consistent state; a write is one transaction, applied whole or not at all. Calls block and come
/// from the HTTP server's threads, any number at once.
public protocol MetadataStore: Sendable {
    /// Grows with every committed change of projects, accounts, keys, tokens, models, versions or releases: of all that
    /// a serving snapshot is made of. Cheap to ask for. A snapshot read after the revision is at least that new.
    var servingRevision: UInt64 { get }

    /// Whether the store's engine came upon damage in its files: what is not answered wrong today may be tomorrow. Stays so
    /// until it is opened anew. A single row that cannot be read is an error of the call that reads it, and not told here.
    var isDamaged: Bool { get }

    func read<Result>(_ body: (any MetadataReader) throws -> Result) throws -> Result

    /// Writers take turns. When `body` throws, nothing of it remains.
    func write<Result>(_ body: (any MetadataWriter) throws -> Result) throws -> Result
}
