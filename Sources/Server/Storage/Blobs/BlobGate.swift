import Synchronization

/// Keeps two things apart that would harm each other: bytes become visible and are then recorded, and bytes that no
/// record names are removed. One gate for each blob store of a server.
///
/// Whoever waits, waits for a few file operations and a transaction; no check of a model runs inside.
public final class BlobGate: Sendable {
    private let turn = Mutex<Void>(())

    public init() {}

    /// Runs `body` while nobody else is inside. Not to be nested.
    public func pass<Result, Failure: Error>(
        _ body: () throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try turn.withLock { _ throws(Failure) in try body() }
    }
}
