import HearthConcurrency
import HearthRouting
import HearthStorage
import HearthWire

/// Workers that fetch the earlier bytes of uploads, and what went wrong there, for the next request of each. Safe to use
/// from any thread.
final class UploadPreparations: Sendable {
    /// What went wrong.
    enum Problem {
        /// The bytes are nowhere.
        case lost
        case failed(any Error)
    }

    /// What requests get while a worker is at it.
    static let refusal: APIError = {
        var error = APIError(
            .unavailable,
            "This server fetches the bytes that arrived at another one; try again in a moment, from the same place.")
        error.retryAfterSeconds = 1
        return error
    }()

    /// Those whose uploaders never came back.
    private static let mostLeft = 1000

    /// A problem of long ago says nothing about now.
    private static let memory: Duration = .seconds(60)

    private struct State {
        var running: Set<String> = []
        var problems: [String: (problem: Problem, since: ContinuousClock.Instant)] = [:]
    }

    private let state = Lock(State())

    /// Why an upload is refused whose lease another request has.
    func refusal(of id: String) -> APIError {
        state.withLock { $0.running.contains(id) } ? Self.refusal : UploadLeases.busy
    }

    /// Runs `body`, which says whether the bytes are there.
    func run(_ id: String, _ body: () throws -> Bool) {
        state.withLock { _ = $0.running.insert(id) }
        var problem: Problem?
        do { problem = try body() ? nil : .lost } catch { problem = .failed(error) }
        state.withLock { [problem] state in
            state.running.remove(id)
            if state.problems.count >= Self.mostLeft { state.problems = [:] }
            state.problems[id] = problem.map { ($0, .now) }
        }
    }

    /// What went wrong a moment ago; each problem once.
    func takeProblem(_ id: String) -> Problem? {
        state.withLock { state in
            guard let found = state.problems.removeValue(forKey: id), .now - found.since < Self.memory else {
                return nil
            }
            return found.problem
        }
    }
}
