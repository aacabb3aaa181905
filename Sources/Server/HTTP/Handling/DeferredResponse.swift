/// The promise of an answer to a suspended request.
///
/// Resolve it once, from any thread. Dropped unresolved it answers 500, so a lost promise never leaves a peer hanging.
public final class DeferredResponse: Sendable {
    private let suspension: Suspension

    init(_ suspension: Suspension) { self.suspension = suspension }

    deinit { suspension.fail(.internalError) }

    /// Sends the answer and wakes the connection. `false`, and no effect, where the request was answered before:
    /// by an earlier call, or because the server stopped.
    @discardableResult
    public func resolve(with response: Response) -> Bool { suspension.resolve(response) }
}
