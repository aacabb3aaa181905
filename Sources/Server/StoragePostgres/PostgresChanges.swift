import HearthConcurrency
import HearthStorage
import HearthStorageSQL
import Synchronization

/// What this server knows of the changes of all servers. Any thread.
///
/// `revision` counts how often the database had something else than before. Whether it is newer does not matter: a database
/// that went back must be obeyed too.
final class PostgresChanges: Sendable {
    private struct State {
        var known: ServingMark
        var last: (known: Int64, found: Int64, noticed: ContinuousClock.Instant)?
    }

    private let state: Lock<State>
    private let counted = Atomic<UInt64>(1)
    private let questions = Atomic(0)
    private let isStopping = Atomic(false)
    private let observers = Lock<[@Sendable () -> Void]>([])
    private let closeIdle: @Sendable () -> Void
    private let folderID: String
    /// Grows while the state is locked.
    let history: PostgresHistory

    /// Where servers of the same data wake each other. Other data may be in other schemas of the same database.
    let channel: String

    /// - Parameters:
    ///   - history: that of all connections of this server.
    ///   - closeIdle: closes the connections that are not in use, because the database is another one.
    init(
        of folderID: String, _ known: ServingMark, _ history: PostgresHistory,
        closeIdle: @escaping @Sendable () -> Void
    ) {
        self.folderID = folderID
        self.history = history
        self.closeIdle = closeIdle
        channel = "hearth_\(folderID)"
        state = Lock(State(known: known))
    }

    var revision: UInt64 { counted.load(ordering: .acquiring) }

    /// How often the database was asked.
    var questionCount: Int { questions.load(ordering: .relaxed) }

    var replacement: DatabaseReplacement? {
        state.withLock { state in
            state.last.map {
                DatabaseReplacement(
                    count: history.replacements, knownRevision: $0.known, foundRevision: $0.found,
                    ageMicroseconds: Int64((ContinuousClock.now - $0.noticed) / .microseconds(1)))
            }
        }
    }

    /// Calls `body` whenever the revision has grown.
    func observe(_ body: @escaping @Sendable () -> Void) { observers.withLock { $0.append(body) } }

    var isStopped: Bool { isStopping.load(ordering: .relaxed) }
    func stop() { isStopping.store(true, ordering: .relaxed) }

    /// Asks the database for its state.
    func ask(_ connection: PostgresConnection) throws(StorageError) {
        questions.add(1, ordering: .relaxed)
        // Before the connection says whether it is outdated.
        let (known, replacements) = state.withLock { ($0.known, history.replacements) }
        take(try ServingMark.ask(connection, about: known, of: folderID), after: replacements)
    }

    /// Answers may arrive in any order, because several threads ask.
    ///
    /// - Parameter replacements: how many there had been at the question. After another one, the answer is one of the former
    ///   database.
    private func take(_ answer: ServingAnswer, after replacements: UInt64) {
        let isNews = state.withLock { state -> Bool in
            guard history.replacements == replacements, answer.present != state.known else { return false }
            let isFirst = state.known == answer.asked
            if answer.continuesAsked {
                // Meanwhile a later state was heard of. The next question is about that one.
                guard isFirst || answer.present.revision > state.known.revision else { return false }
                state.known = answer.present
            } else if isFirst {
                state.known = answer.present
                state.last = (answer.asked.revision, answer.present.revision, .now)
                // Before anyone hears of it.
                history.noteReplacement()
                closeIdle()
            }
            counted.wrappingAdd(1, ordering: .acquiringAndReleasing)
            return true
        }
        if isNews { tellObservers() }
    }

    /// After the commit of a change of this server's own.
    func take(own change: (before: ServingMark, after: ServingMark)) {
        let isNews = state.withLock { state -> Bool in
            guard state.known != change.after else { return false }
            // Otherwise the next question tells what came in between.
            if state.known == change.before { state.known = change.after }
            counted.wrappingAdd(1, ordering: .acquiringAndReleasing)
            return true
        }
        if isNews { tellObservers() }
    }

    private func tellObservers() { for observer in observers.withLock({ $0 }) { observer() } }

    /// Changes the state of what is served, as part of the transaction, and wakes the other servers when it is committed.
    func announce(
        _ connection: PostgresConnection
    ) throws(StorageError) -> (before: ServingMark, after: ServingMark) {
        let change = try ServingMark.advance(connection)
        try connection.run("SELECT pg_notify(?, '')", [.text(channel)])
        return change
    }
}
