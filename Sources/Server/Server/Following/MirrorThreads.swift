import Dispatch
import Foundation
import HearthConcurrency
import HearthCrypto
import HearthWork

/// The threads of a follower: one asks for changes, one exchanges installations, one gets files, so that neither a long list
/// nor a large file delays a change.
final class MirrorThreads: Sendable {
    private let mirror: Mirror
    private let installations: InstallationExchange
    private let status: MirrorStatus
    private let pollSeconds: Double
    private let cancellation: Cancellation
    private let log: @Sendable (String) -> Void
    private let running = DispatchGroup()

    /// The longest time between two tries.
    private static let mostSeconds = 30.0

    init(
        _ mirror: Mirror, _ installations: InstallationExchange, _ status: MirrorStatus, pollSeconds: Double,
        cancellation: Cancellation, log: @escaping @Sendable (String) -> Void
    ) {
        self.mirror = mirror
        self.installations = installations
        self.status = status
        self.pollSeconds = pollSeconds
        self.cancellation = cancellation
        self.log = log
    }

    /// Asks until there is a state, for the first start of a follower.
    ///
    /// - Returns: false if it was cancelled.
    /// - Throws: if the main server refuses the token. To wait does not help then.
    func waitForState() throws -> Bool {
        var failures = 0
        while !cancellation.isCancelled {
            failures = try attempt(.state, { try mirror.poll() }, mayBeRefused: false) ? 0 : failures + 1
            if mirror.hasState { return true }
            cancellation.wait(seconds: delay(failures, first: 0.5))
        }
        return false
    }

    /// The threads end when they are cancelled.
    var part: ServerPart {
        ServerPart(
            "follow", start: { [self] in start() },
            stop: { [running] done in running.notify(queue: .global(), execute: done) })
    }

    private func start() {
        repeating { [self] in attempt(.state) { try mirror.poll() } }
        repeating { [self] in
            // One problem of the line is enough.
            guard status.isReachable, let count = mirror.installationCount else { return true }
            return attempt(.installations) { try installations.run { mirror.installationCount ?? count } }
        }
        thread { [self] in fetchFiles() }
    }

    private func thread(_ body: @escaping @Sendable () -> Void) {
        running.enter()
        Thread.detachNewThread { [running] in
            body()
            running.leave()
        }
    }

    /// - Parameter body: returns whether it succeeded.
    private func repeating(_ body: @escaping @Sendable () -> Bool) {
        thread { [self] in
            var failures = 0
            while !cancellation.isCancelled {
                failures = body() ? 0 : failures + 1
                // A little earlier or later, so that followers do not ask at once.
                let regular = pollSeconds * Double.random(in: 0.8...1.2)
                cancellation.wait(seconds: failures == 0 ? regular : delay(failures, first: pollSeconds))
            }
        }
    }

    private func fetchFiles() {
        /// Files that failed: how often, and when to try again.
        var failed: [String: (count: Int, until: ContinuousClock.Instant)] = [:]
        while !cancellation.isCancelled {
            let delayed = Set(failed.filter { $0.value.until > .now }.keys)
            guard let next = mirror.nextMissing(except: delayed) else {
                cancellation.wait(seconds: 0.25)
                continue
            }
            let name = next.digest.hex
            if attempt(.files, { try mirror.fetch(next.digest, size: next.size) }) {
                failed[name] = nil
            } else {
                let count = (failed[name]?.count ?? 0) + 1
                failed[name] = (count, .now + .seconds(delay(count, first: 0.5)))
            }
        }
    }

    /// - Returns: whether it succeeded. Otherwise the log says why, once for each new reason.
    private func attempt(_ part: MirrorStatus.Part, _ body: () throws -> Void) -> Bool {
        (try? attempt(part, body, mayBeRefused: true)) ?? false
    }

    /// - Throws: if the main server refuses the token, and that must not be.
    private func attempt(
        _ part: MirrorStatus.Part, _ body: () throws -> Void, mayBeRefused: Bool
    ) throws -> Bool {
        do {
            try body()
            status.succeeded(part)
            return true
        } catch {
            guard !cancellation.isCancelled else { return false }
            let problem = (error as? MirrorProblem) ?? MirrorProblem(.storage, "\(error)")
            guard mayBeRefused || problem.kind != .refused else { throw ServerStartError("\(problem)") }
            if status.failed(problem, part) { log("follow: \(problem)") }
            return false
        }
    }

    private func delay(_ failures: Int, first: Double) -> Double {
        min(Self.mostSeconds, first * pow(2, Double(min(failures, 10)))) * Double.random(in: 0.5...1)
    }
}
