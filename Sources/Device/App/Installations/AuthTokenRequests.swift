import Dispatch
import HearthConcurrency

/// Requests for tokens. Callers that want a token while another caller's request runs share its result.
final class AuthTokenRequests: Sendable {
    typealias Outcome = Result<InstallationToken, any Error>
    typealias Completion = @Sendable (Outcome) -> Void

    private let queue: DispatchQueue
    private let fetch: @Sendable (_ forcingRefresh: Bool) throws -> InstallationToken
    /// The running requests. The key is whether the request is for a new token.
    private let underWay = Lock<[Bool: PendingRequest]>([:])

    /// Makes the requests of one app.
    ///
    /// - Parameters:
    ///   - queue: A serial queue on which `fetch` runs.
    ///   - fetch: Gets a token. Blocks.
    init(queue: DispatchQueue, fetch: @escaping @Sendable (_ forcingRefresh: Bool) throws -> InstallationToken) {
        self.queue = queue
        self.fetch = fetch
    }

    /// Gets a token. Calls `completion` once, on the queue.
    func get(forcingRefresh: Bool, completion: @escaping Completion) {
        let started: PendingRequest? = underWay.withLock { underWay in
            // A caller that accepts an older token can also use a new one.
            if let pending = underWay[true] ?? (forcingRefresh ? nil : underWay[false]) {
                pending.join(completion)
                return nil
            }
            let pending = PendingRequest(completion)
            underWay[forcingRefresh] = pending
            return pending
        }
        guard let started else { return }
        queue.async { [self] in
            let outcome = Outcome { try fetch(forcingRefresh) }
            let waiting = underWay.withLock { underWay in
                if underWay[forcingRefresh] === started { underWay[forcingRefresh] = nil }
                return started.takeCompletions()
            }
            for completion in waiting { completion(outcome) }
        }
    }

    /// Later callers do not share the requests that run now.
    func detachPendingRequests() { underWay.withLock { $0 = [:] } }
}

private final class PendingRequest: Sendable {
    private let completions: Lock<[AuthTokenRequests.Completion]>

    init(_ first: @escaping AuthTokenRequests.Completion) { completions = Lock([first]) }

    func join(_ completion: @escaping AuthTokenRequests.Completion) { completions.withLock { $0.append(completion) } }

    func takeCompletions() -> [AuthTokenRequests.Completion] { completions.withLock { $0 } }
}
