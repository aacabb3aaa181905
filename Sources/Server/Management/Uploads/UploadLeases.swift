import HearthConcurrency
import HearthRouting
import HearthStorage
import HearthWire

/// The resumable uploads that requests to this server work on now. Only one request at a time may write to an upload.
/// Of requests to two servers, the one that is recorded first counts, and the other one is refused as busy.
final class UploadLeases: Sendable {
    /// Why a request is refused while another one has the lease.
    static let busy = APIError(
        .unavailable, "Another request is writing to this upload; try again in a moment.")

    private let taken = Lock<Set<String>>([])

    /// Nil while another request has the lease.
    func acquire(_ id: String) -> UploadLease? {
        guard taken.withLock({ $0.insert(id).inserted }) else { return nil }
        return UploadLease { [self] in _ = taken.withLock { $0.remove(id) } }
    }

    /// Whether a request has the lease now.
    func isTaken(_ id: String) -> Bool { taken.withLock { $0.contains(id) } }
}

/// The right to write to one upload. Releasing it returns the lease.
final class UploadLease: Sendable {
    private let giveBack: @Sendable () -> Void

    init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

/// An upload's bytes and the right to write to them.
struct LeasedUpload {
    let blob: any ResumedBlob
    let lease: UploadLease
}

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
