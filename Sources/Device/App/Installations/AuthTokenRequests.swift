import Dispatch
import HearthConcurrency

/// Callers that want a token while one is being fetched share its outcome.
final class AuthTokenRequests: Sendable {
    typealias Outcome = Result<InstallationToken, any Error>
    typealias Completion = @Sendable (Outcome) -> Void

    private let queue: DispatchQueue
    private let fetch: @Sendable (_ forcingRefresh: Bool) throws -> InstallationToken
    /// By whether a new token is asked for.
    private let underWay = Lock<[Bool: PendingRequest]>([:])

    /// - Parameters:
    ///   - queue: Where fetches run: a serial one.
    ///   - fetch: Blocks.
    init(queue: DispatchQueue, fetch: @escaping @Sendable (_ forcingRefresh: Bool) throws -> InstallationToken) {
        self.queue = queue
        self.fetch = fetch
    }

    /// Calls `completion` once, on the queue.
    func get(forcingRefresh: Bool, completion: @escaping Completion) {
        let started: PendingRequest? = underWay.withLock { underWay in
            // A new token serves those as well to whom an older one would do.
            if let flight = underWay[true] ?? (forcingRefresh ? nil : underWay[false]) {
                flight.join(completion)
                return nil
            }
            let flight = PendingRequest(completion)
            underWay[forcingRefresh] = flight
            return flight
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

    /// Who asks from now on does not share what is under way.
    func detachPendingRequests() { underWay.withLock { $0 = [:] } }
}

private final class PendingRequest: Sendable {
    private let completions: Lock<[AuthTokenRequests.Completion]>

    init(_ first: @escaping AuthTokenRequests.Completion) { completions = Lock([first]) }

    func join(_ completion: @escaping AuthTokenRequests.Completion) { completions.withLock { $0.append(completion) } }

    func takeCompletions() -> [AuthTokenRequests.Completion] { completions.withLock { $0 } }
}
