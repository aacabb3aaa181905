import HearthConcurrency
import HearthMetrics
import HearthWire

/// How a follower's copy is. Any thread.
final class MirrorStatus: Sendable {
    /// What a problem is about: each part is copied by a thread of its own.
    enum Part: CaseIterable, Sendable {
        case state, installations, files
    }

    private struct State {
        /// When the copy was up to date last, by the clock that cannot be set; nil if not since the start.
        var contact: ContinuousClock.Instant?
        var isReachable = false
        var revision: Int64 = 0
        var missingFiles = 0
        var missingBytes: UInt64 = 0
        var problems: [MirrorProblem.Kind: Int] = [:]
        var lastProblems: [Part: String] = [:]
        var forwarded = 0
        var notForwarded = 0
    }

    let main: String
    let staleServingHours: Int
    /// The age of the copy when the process started.
    private let startAge: Duration
    private let start = ContinuousClock.now
    private let state = Lock(State())

    init(main: String, staleServingHours: Int, contactMicroseconds: Int64) {
        self.main = main
        self.staleServingHours = staleServingHours
        // A clock that was set back makes the copy no younger than new.
        startAge = .microseconds(max(0, Timestamp.now.microseconds - contactMicroseconds))
    }

    /// For how long it is unknown whether the main server has something new.
    var ageSeconds: Double {
        let contact = state.withLock { $0.contact }
        let age = contact.map { ContinuousClock.now - $0 } ?? startAge + (ContinuousClock.now - start)
        return age / .seconds(1)
    }

    /// Whether the copy is too old to answer devices.
    var isStale: Bool { ageSeconds > max(Double(staleServingHours) * 3600, Self.graceSeconds) }

    /// Between two questions to the main server nothing is stale.
    private static let graceSeconds = 10.0

    /// Whether the main server answered the last question for its state, and accepts connections since.
    var isReachable: Bool { state.withLock { $0.isReachable } }

    func reached() { state.withLock { $0.isReachable = true } }

    /// After an answer that says that the copy is up to date, or has made it so.
    func confirmed() { state.withLock { $0.contact = .now } }

    /// After a state that could be used.
    func succeeded(revision: Int64) {
        state.withLock { state in
            state.revision = revision
            state.lastProblems[.state] = nil
        }
    }

    /// After a step without a problem.
    func succeeded(_ part: Part) { state.withLock { $0.lastProblems[part] = nil } }

    /// The calls of devices that need the main server are refused at once until it answers a question for its state.
    func lost() { state.withLock { $0.isReachable = false } }

    /// - Returns: whether the problem is another one than the last of that part.
    func failed(_ problem: MirrorProblem, _ part: Part) -> Bool {
        state.withLock { state in
            state.problems[problem.kind, default: 0] += 1
            return state.lastProblems.updateValue(problem.description, forKey: part) != problem.description
        }
    }

    func setMissing(files: Int, bytes: UInt64) {
        state.withLock { ($0.missingFiles, $0.missingBytes) = (files, bytes) }
    }
    func countForwarded() { state.withLock { $0.forwarded += 1 } }
    func countNotForwarded() { state.withLock { $0.notForwarded += 1 } }

    /// For `/readyz`.
    var note: String {
        let (revision, missing, problems) = state.withLock { state in
            (state.revision, state.missingFiles, Part.allCases.compactMap { state.lastProblems[$0] })
        }
        var text = "a copy of \(main), \(Int(ageSeconds)) s old, revision \(revision)"
        if missing > 0 { text += ", \(missing) files are missing" }
        return ([text] + problems).joined(separator: ", ")
    }

    func add(to metrics: ServerMetrics) {
        metrics.add("hearth_mirror_age_seconds", .gauge, "Seconds since the main server answered.") { self.ageSeconds }
        metrics.add("hearth_mirror_revision", .gauge, "The revision of the main server's state that is used.") {
            Double(self.state.withLock { $0.revision })
        }
        metrics.add("hearth_mirror_files_missing", .gauge, "Model files that are needed and not here yet.") {
            Double(self.state.withLock { $0.missingFiles })
        }
        metrics.add("hearth_mirror_bytes_missing", .gauge, "The bytes of those files.") {
            Double(self.state.withLock { $0.missingBytes })
        }
        metrics.add("hearth_mirror_failures_total", .counter, "Answers of the main server that could not be used.") {
            let problems = self.state.withLock { $0.problems }
            return MirrorProblem.Kind.allCases.map {
                ServerMetrics.Sample(Double(problems[$0] ?? 0), ("reason", $0.rawValue))
            }
        }
        metrics.add("hearth_mirror_forwarded_total", .counter, "Calls of devices that the main server answered.") {
            Double(self.state.withLock { $0.forwarded })
        }
        metrics.add(
            "hearth_mirror_not_forwarded_total", .counter,
            "Calls of devices that need the main server, and were answered with 503."
        ) { Double(self.state.withLock { $0.notForwarded }) }
    }
}
