package import HearthCatalog
import HearthConcurrency
package import HearthCrypto
package import HearthStorage
package import HearthWire
package import HearthWork

/// Validates every uploaded file, a few at a time: the files of each project in the order of their arrival, and the
/// projects in turn, so that the many files of one project do not delay another.
///
/// The queue is in the database: it consists of the files whose `Validation` is pending, so it survives a restart.
/// Memory only holds the order, and the callers that wait for an answer. Safe to call from any thread.
///
/// An upload passes its sealed bytes to `admit`, which makes them visible, records them and requests the validation in
/// one step. A caller that needs the verdict then calls `whenDone`. One transaction stores the verdict with all its
/// consequences: models that were to be published with these bytes are published.
package final class ValidationQueue: Sendable {
    /// What the queue keeps in memory.
    private struct State {
        var line: ValidationSchedule
        var waiters = ValidationWaiters()
        /// Pending files that are not tried again before a caller asks for it.
        var givenUp: Set<String> = []
        /// Called when no validation runs any more.
        var whenIdle: [@Sendable () -> Void] = []
    }

    /// Code that removes bytes of the same blob store must use it too.
    package let blobLock: BlobStoreLock

    private let metadata: any MetadataStore
    private let servers: any ServerCoordination
    private let check: ValidationCheck
    private let scheduler: any WorkScheduler
    private let log: @Sendable (String) -> Void
    private let now: @Sendable () -> Timestamp
    private let state: Lock<State>

    /// - Parameters:
    ///   - checker: usually a `ModelValidator`.
    ///   - log: gets one line for each validation that could not run or be recorded.
    package init(
        metadata: any MetadataStore, blobs: any BlobStore, checker: any FileChecker,
        limits: QueueLimits = QueueLimits(), scheduler: any WorkScheduler, now: @escaping @Sendable () -> Timestamp,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.metadata = metadata
        servers = metadata.coordination
        blobLock = BlobStoreLock(servers: servers)
        self.scheduler = scheduler
        self.now = now
        self.log = log
        check = ValidationCheck(metadata: metadata, blobs: blobs, checker: checker, now: now)
        state = Lock(State(line: ValidationSchedule(limits: limits)))
    }

    /// Begins with all pending files, also those from before the server's last stop, and with those whose validation
    /// ran out of time then. Files that were added before wait for this call.
    package func start() throws {
        state.withLock { state in
            state.line.open()
            state.givenUp = []
        }
        try check.renewProvisional()
        let pending = try metadata.read { store in
            try Self.withOwners(store.pendingValidations().map(\.sha256), store)
        }
        state.withLock { state in
            for (sha256, projects) in pending {
                for project in projects { state.line.add(sha256, of: project) }
            }
        }
        startChecks()
    }

    /// The files with the projects that own them.
    private static func withOwners(
        _ files: [String], _ store: any MetadataReader
    ) throws -> [(sha256: String, projects: [String])] {
        guard !files.isEmpty else { return [] }
        var owners: [String: [String]] = [:]
        for project in try store.projects().map(\.id) {
            for sha256 in Set(try store.objects(project: project).map(\.sha256)).intersection(files) {
                owners[sha256, default: []].append(project)
            }
        }
        return files.map { ($0, owners[$0] ?? [noProject]) }
    }

    /// The project of a file that no project owns any more.
    private static let noProject = ""

    /// Stops the queue: files that are not being validated stay pending for the next start, waiting callers are
    /// notified now, and `completion` is called when the running validations have ended; at once if there are none.
    package func stop(_ completion: @escaping @Sendable () -> Void) {
        let (waiters, isIdle) = state.withLock { state in
            state.line.close()
            if !state.line.isIdle { state.whenIdle.append(completion) }
            return (state.waiters.takeAll(), state.line.isIdle)
        }
        for waiter in waiters { waiter(false) }
        if isIdle { completion() }
    }

    /// Files that wait for their validation or are being validated.
    package var count: Int { state.withLock { $0.line.count } }

    /// Files that wait for their validation or are being validated, and how many are being validated now.
    package var load: (count: Int, running: Int) { state.withLock { ($0.line.count, $0.line.runningCount) } }

    /// Files that the server could not validate, and does not try again until a caller asks for it.
    package var givenUpCount: Int { state.withLock { $0.givenUp.count } }

    /// Makes bytes visible, records them, and requests their validation unless they have a valid verdict already.
    ///
    /// The verdict malformed is not enough: a server with another engine may think better of the file.
    /// - Parameters:
    ///   - project: the owner, in whose turn they are validated.
    ///   - commit: makes the bytes visible under `digest` in the blob store.
    ///   - record: writes the object and its other records, in the same transaction as the request for the validation.
    /// - Returns: what is known about the bytes; pending if they are about to be validated.
    package func admit(
        _ digest: SHA256Digest, sizeBytes: UInt64, project: String, commit: () throws -> Void,
        record: (any MetadataWriter) throws -> Void
    ) throws -> Validation {
        let validation = try blobLock.withLock(.adding) { () throws -> Validation in
            try commit()
            return try metadata.write { store in
                try record(store)
                if let known = try store.validation(sha256: digest.hex), !Self.mustBeChecked(known) { return known }
                let request = Validation(
                    sha256: digest.hex, sizeBytes: sizeBytes, requestedMicroseconds: now().microseconds)
                try store.put(request)
                return request
            }
        }
        if validation.verdict == .pending { enqueue(digest.hex, of: project) }
        return validation
    }

    private static func mustBeChecked(_ known: Validation) -> Bool {
        if case .malformed = known.verdict { true } else { false }
    }

    /// Validates a file whose validation is pending in the database. Has no effect if the file is in the queue already,
    /// and before `start` and after `stop`: the next start finds the file.
    package func enqueue(_ sha256: String, of project: String) {
        state.withLock { state in
            state.givenUp.remove(sha256)
            state.line.add(sha256, of: project)
        }
        startChecks()
    }

    /// Calls back once, from any thread: with true as soon as the file has a verdict, or at once if it has one or is
    /// unknown; with false if `seconds` pass without a verdict, the queue stops, or the server cannot validate the
    /// file.
    package func whenDone(
        _ sha256: String, withinSeconds seconds: Double, _ callback: @escaping @Sendable (_ isDone: Bool) -> Void
    ) {
        // First the registration, then the check: a verdict that arrives in between finds the callback.
        let id = state.withLock { $0.waiters.add(sha256, callback) }
        if !isPending(sha256) {
            take(id, sha256)?(true)
        } else if seconds <= 0 || !state.withLock({ $0.line.isOpen && !$0.givenUp.contains(sha256) }) {
            take(id, sha256)?(false)
        } else {
            scheduler.run(afterSeconds: seconds) { [weak self] in self?.take(id, sha256)?(false) }
        }
    }

    private func take(_ id: Int, _ sha256: String) -> ValidationWaiters.Callback? {
        state.withLock { $0.waiters.take(id, of: sha256) }
    }

    private func isPending(_ sha256: String) -> Bool {
        do {
            return try metadata.read { try $0.validation(sha256: sha256)?.verdict == .pending }
        } catch {
            log("validation \(sha256): cannot read its verdict: \(error)")
            return true
        }
    }

    private func startChecks() {
        while let sha256 = state.withLock({ $0.line.next() }) {
            scheduler.run { [self] in run(sha256) }
        }
    }

    private func run(_ sha256: String) {
        do {
            if try servers.claimValidation(of: sha256) {
                defer { servers.releaseClaim(of: sha256) }
                try check.run(sha256)
                finish(sha256)
            } else {
                leave(sha256)
            }
        } catch {
            // An outage is said to be one elsewhere, and would be said here with each try.
            let isOutage = (error as? StorageError)?.code == .unavailable
            if !isOutage { log("validation \(sha256): \(error)") }
            switch state.withLock({ $0.line.fail(sha256, isOutage: isOutage) }) {
            case .retry(let seconds):
                scheduler.run(afterSeconds: seconds) { [weak self] in self?.resume(sha256) }
            case .giveUp:
                giveUp(sha256)
            case .leave:
                break
            }
        }
        startChecks()
        callIdleHandlers()
    }

    /// Another server validates the file, or has done so. Callers wait for `followOtherServers`.
    private func leave(_ sha256: String) {
        state.withLock { $0.line.finish(sha256) }
    }

    /// Keeps this server's validations reserved, answers callers whose files other servers have validated, and takes
    /// over what a server left that has ended. To be called every second or so where several servers share the data.
    package func followOtherServers() throws {
        let (running, waiting) = state.withLock { ($0.line.runningFiles, $0.waiters.files) }
        try servers.renewClaims(of: running)
        let elsewhere = try servers.validationsElsewhere()
        let (pending, free) = try metadata.read { store in
            let files = try store.pendingValidations().map(\.sha256)
            let known = state.withLock { state in
                Set(files.filter { state.line.contains($0) || state.givenUp.contains($0) })
            }
            let free = files.filter { !elsewhere.contains($0) && !known.contains($0) }
            return (Set(files), try Self.withOwners(free, store))
        }
        for sha256 in waiting where !pending.contains(sha256) {
            for waiter in state.withLock({ $0.waiters.takeAll(of: sha256) }) { waiter(true) }
        }
        state.withLock { state in
            // Nothing happens to a file that came into the line meanwhile.
            for (sha256, projects) in free {
                for project in projects { state.line.add(sha256, of: project) }
            }
        }
        startChecks()
    }

    private func resume(_ sha256: String) {
        state.withLock { $0.line.resume(sha256) }
        startChecks()
    }

    private func giveUp(_ sha256: String) {
        do {
            try check.giveUp(sha256)
        } catch {
            log("validation \(sha256): cannot record that it was given up: \(error)")
        }
        log("validation \(sha256): given up; tried again at the next start, and when the file is uploaded again")
        state.withLock { _ = $0.givenUp.insert(sha256) }
        finish(sha256)
    }

    private func finish(_ sha256: String) {
        let waiters = state.withLock { state in
            state.line.finish(sha256)
            return state.waiters.takeAll(of: sha256)
        }
        guard !waiters.isEmpty else { return }
        let isDone = !isPending(sha256)
        for waiter in waiters { waiter(isDone) }
    }

    private func callIdleHandlers() {
        let completions = state.withLock { state in
            guard !state.line.isOpen, state.line.isIdle else { return [@Sendable () -> Void]() }
            defer { state.whenIdle = [] }
            return state.whenIdle
        }
        for completion in completions { completion() }
    }
}

/// The callbacks that wait for each file. A value that stores them, and calls none.
struct ValidationWaiters {
    typealias Callback = @Sendable (_ isDone: Bool) -> Void

    private var callbacks: [String: [Int: Callback]] = [:]
    private var lastID = 0

    mutating func add(_ sha256: String, _ callback: @escaping Callback) -> Int {
        lastID += 1
        callbacks[sha256, default: [:]][lastID] = callback
        return lastID
    }

    /// The callback for its first caller, nil for all later ones.
    mutating func take(_ id: Int, of sha256: String) -> Callback? {
        let callback = callbacks[sha256]?.removeValue(forKey: id)
        if callbacks[sha256]?.isEmpty == true { callbacks[sha256] = nil }
        return callback
    }

    /// The files for which callers wait.
    var files: [String] { Array(callbacks.keys) }

    mutating func takeAll(of sha256: String) -> [Callback] {
        callbacks.removeValue(forKey: sha256).map { Array($0.values) } ?? []
    }

    mutating func takeAll() -> [Callback] {
        defer { callbacks = [:] }
        return callbacks.values.flatMap(\.values)
    }
}
