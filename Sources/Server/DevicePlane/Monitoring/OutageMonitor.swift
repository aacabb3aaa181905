import HearthConcurrency
import HearthRouting
import HearthServing
import HearthStorage
import Synchronization

/// A line for whoever operates the server.
package enum OperatorMessage: Equatable, Sendable {
    /// Something is wrong.
    case failure(String)
    /// What was wrong is over.
    case recovery(String)
}

/// Keeps what answers devices as new as a database elsewhere. It says when the database or the model store begins and ceases
/// to answer, when the database is another one than before, and when servers lack a lock.
final class OutageMonitor: Sendable {
    private struct Answering {
        var database = true
        var blobs = true
    }

    /// A store that answers is asked rarely, because each request may cost money.
    private static let probeMicroseconds: Int64 = 5_000_000

    private let context: RouteContext
    private let metadata: any MetadataStore
    private let last = Lock(Answering())
    private let lastProbe = Atomic<Int64>(.min)
    private let history: HistoryWatch
    private let lastLockProblems = Lock<[LockProblem]>([])

    init(_ context: RouteContext, _ metadata: any MetadataStore) {
        self.context = context
        self.metadata = metadata
        history = HistoryWatch(metadata)
    }

    func refresh() throws -> [OperatorMessage] {
        let services = context.services
        probe()
        let now = Answering(
            database: metadata.contact?.isAnswering ?? true, blobs: services.blobs.isAnswering)
        let before = last.withLock { last in
            defer { last = now }
            return last
        }
        var lines: [OperatorMessage] = []
        if now.database != before.database { lines.append(database(now.database)) }
        if now.blobs != before.blobs { lines.append(Self.blobs(now.blobs, services.blobs.outage)) }
        if history.hasChanged(metadata) {
            context.serving.forgetDatabase()
            if let replacement = metadata.replacement { lines.append(.failure(Self.replaced(replacement))) }
        }
        lines += lockLines()
        do {
            try context.serving.renew()
        } catch let error as StorageError where error.code == .unavailable {
            // The next round says whether it is away.
        }
        return lines
    }

    private func probe() {
        let (now, blobs) = (context.monotonicMicroseconds, context.services.blobs)
        let wasAsked = lastProbe.load(ordering: .relaxed)
        guard wasAsked == .min || now - wasAsked >= Self.probeMicroseconds || !blobs.isAnswering else { return }
        lastProbe.store(now, ordering: .relaxed)
        blobs.probe()
    }

    private func lockLines() -> [OperatorMessage] {
        let problems = metadata.coordination.lockProblems
        let before = lastLockProblems.withLock { last in
            defer { last = problems }
            return last
        }
        let new = problems.filter { !before.contains($0) }.map { OperatorMessage.failure($0.report) }
        let isMended = problems.isEmpty && !before.isEmpty
        return isMended ? [.recovery("Servers have all their locks in the database again.")] : new
    }

    private static func replaced(_ replacement: DatabaseReplacement) -> String {
        """
        The database is not the one that this server knew: it does not contain the change \(replacement.knownRevision), and is \
        at \(replacement.foundRevision). What it lacks is lost with it: keys, tokens, models, releases, templates and more. This \
        server has read everything anew, and obeys it. Compare the audit log with what people did last.
        """
    }

    private func database(_ isAnswering: Bool) -> OperatorMessage {
        guard !isAnswering else { return .recovery("The database answers again.") }
        return .failure(
            """
            The database does not answer. Devices are answered from memory for at most \
            \(context.services.limits.staleServingHours) hours; other calls are refused until it answers.
            """)
    }

    private static func blobs(_ isAnswering: Bool, _ outage: String?) -> OperatorMessage {
        guard !isAnswering else { return .recovery("The model store answers again.") }
        return .failure(
            """
            The model store does not answer. Devices get the model files that this server has kept; uploads are refused \
            until it answers.\(outage.map { " \($0)" } ?? "")
            """)
    }
}
