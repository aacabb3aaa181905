import Dispatch
import Synchronization

/// Callers that want a token while one is being fetched share its outcome.
final class TokenFetches: Sendable {
    typealias Outcome = Result<InstallationToken, any Error>
    typealias Completion = @Sendable (Outcome) -> Void

    private let queue: DispatchQueue
    private let fetch: @Sendable (_ forcingRefresh: Bool) throws -> InstallationToken
    /// By whether a new token is asked for.
    private let underWay = Mutex<[Bool: Flight]>([:])

    /// - Parameters:
    ///   - queue: Where fetches run: a serial one.
    ///   - fetch: Blocks.
    init(queue: DispatchQueue, fetch: @escaping @Sendable (_ forcingRefresh: Bool) throws -> InstallationToken) {
        self.queue = queue
        self.fetch = fetch
    }

    /// Calls `completion` once, on the queue.
    func get(forcingRefresh: Bool, completion: @escaping Completion) {
        let started: Flight? = underWay.withLock { underWay in
            // A new token serves those as well to whom an older one would do.
            if let flight = underWay[true] ?? (forcingRefresh ? nil : underWay[false]) {
                flight.join(completion)
                return nil
            }
            let flight = Flight(completion)
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
    func separate() { underWay.withLock { $0 = [:] } }
}

private final class Flight: Sendable {
    private let completions: Mutex<[TokenFetches.Completion]>

    init(_ first: @escaping TokenFetches.Completion) { completions = Mutex([first]) }

    func join(_ completion: @escaping TokenFetches.Completion) { completions.withLock { $0.append(completion) } }

    func takeCompletions() -> [TokenFetches.Completion] { completions.withLock { $0 } }
}
