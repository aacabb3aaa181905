import HearthApp
import HearthConcurrency
import HearthCrypto
import HearthFiles

/// One download: from the question which version is the newest to the installed file. Blocks; one owner, one thread.
///
/// Tries again what may pass, until the deadline. Whatever fails, what was installed stays installed, and the bytes that have
/// arrived stay for the next download, in this process or another one.
struct ModelDownload {
    private let name: String
    private let app: FirebaseApp
    private let store: DeviceStore
    private let conditions: DownloadConditions
    private let settings: DeliverySettings
    private let attempts: DownloadAttempts
    private let progress: ByteProgress

    private var found = DeviceStore.LookupResult.missing
    private var link: DownloadRules.Link?
    private var file: PartialFile?
    /// The most bytes of the file that were ever there: only more than that counts as progress.
    private var mostBytesSeen: UInt64 = 0
    private var mayRenewLink = true
    private var mayStartOver = true

    /// - Parameters:
    ///   - conditions: Checked before each transfer.
    ///   - cancellation: Ends waits and transfers with `cancelled`.
    init(
        _ name: String, app: FirebaseApp, store: DeviceStore, conditions: DownloadConditions = DownloadConditions(),
        settings: DeliverySettings, cancellation: Cancellation?, progress: @escaping ByteProgress
    ) {
        self.name = name
        self.app = app
        self.store = store
        self.conditions = conditions
        self.settings = settings
        attempts = DownloadAttempts(settings, environment: app.environment, cancellation: cancellation)
        self.progress = progress
    }

    /// The newest published version that works here: the installed one when the server says so, else it is downloaded and
    /// installed.
    mutating func run() throws(DownloadFailure) -> CustomModel {
        // One process at a time: one that has waited here finds the model installed, and gets "not modified".
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        found = try mapped { () throws(FileError) in try store.find(name) }
        while true {
            try attempts.check()
            do throws(DownloadFailure) {
                if let model = try step() { return model }
            } catch {
                countProgress()
                try attempts.waitBeforeRetry(after: error)
            }
        }
    }

    private func lock() throws(DownloadFailure) -> FileLock {
        let acquired: FileLock?
        do throws(FileError) {
            acquired = try store.lock(name) { attempts.mayGoOn }
        } catch {
            throw DownloadFailure(error)
        }
        if let acquired { return acquired }
        guard attempts.cancellation?.isCancelled != true else { throw .stopped }
        throw DownloadFailure(
            .tooSlow, "Another program was fetching the same model until the deadline: ask again later.",
            error: .failedPrecondition, isTemporary: true)
    }

    /// The next step: the question, or the transfer. nil when another one follows.
    private mutating func step() throws(DownloadFailure) -> CustomModel? {
        guard let link else { return try ask() }
        try ConditionRules.check(conditions, on: settings.deviceConditions)
        let file = try openFile(link)
        let transfer = FileDownload(
            link: link, file: file, settings: settings, environment: app.environment, attempts: attempts,
            progress: progress)
        switch try transfer.run() {
        case .complete(let isResumed): return try install(file, link, isResumed: isResumed)
        case .linkRefused(let state): try renewLink(state)
        case .requestWholeFile: break
        }
        return nil
    }

    // MARK: The question

    private mutating func ask() throws(DownloadFailure) -> CustomModel? {
        let installed: CustomModel? = if case .installed(let model) = found { model } else { nil }
        let answer = try DownloadInfoCall(app: app).send(
            name, installedHash: installed?.hash, settings: settings, attempts: attempts)
        switch answer {
        case .keepInstalled(let version, let experiments):
            return installed.map { recordAssignment($0, version, experiments) }
        case .download(let link):
            // Also where the present version stays for a while: an installation takes part from the answer on, whether its
            // variant has to be fetched or not. Else those that need not fetch would be counted sooner, and more of them.
            if let installed { _ = recordAssignment(installed, nil, link.experiments) }
            if let reason = try rejectionReason(link.digest) {
                guard let model = found.model else { throw .unusable(name, reason: reason, hasPrevious: false) }
                return model
            }
            if let model = try rollBack(link) { return model }
            file = nil
            self.link = link
        }
        return nil
    }

    /// The version before the installed one is still here: a rollback needs no transfer.
    private func rollBack(_ link: DownloadRules.Link) throws(DownloadFailure) -> CustomModel? {
        let previous = try mapped { () throws(FileError) in try store.previous(link.digest, of: name) }
        guard let previous else { return nil }
        try tryLoading(previous.path, link.digest)
        return try mapped { () throws(FileError) in
            try store.rollBack(
                to: link.digest, of: name, version: link.version, experiments: link.experiments,
                mayWait: { [attempts] in attempts.mayGoOn })
        }
    }

    /// The same bytes may have been published anew, or be those of another variant now. A disk that does not take the note is
    /// no harm: the next answer brings it again.
    private func recordAssignment(_ model: CustomModel, _ version: Int?, _ experiments: [ModelExperiment])
        -> CustomModel
    {
        let version = version ?? model.version
        guard version != model.version || experiments != model.experiments else { return model }
        let new = model.with(version, experiments)
        try? store.updateMetadata(new)
        return new
    }

    /// Once in a row: with bytes in between, a slow transfer may outlive many links.
    private mutating func renewLink(_ state: DownloadRules.LinkState) throws(DownloadFailure) {
        countProgress()
        guard mayRenewLink else { throw state == .expired ? DownloadRules.linkExpired : DownloadRules.linkRefused }
        mayRenewLink = false
        link = nil
    }

    // MARK: The file

    /// Opened once for each link; what is there then is from an earlier fetch.
    private mutating func openFile(_ link: DownloadRules.Link) throws(DownloadFailure) -> PartialFile {
        if let file { return file }
        let opened = try mapped { () throws(FileError) in
            try store.begin(
                name: name, digest: link.digest, size: link.size, mayWait: { [attempts] in attempts.mayGoOn })
        }
        mostBytesSeen = opened.size
        file = opened
        return opened
    }

    private mutating func countProgress() {
        guard let size = file?.size, size > mostBytesSeen else { return }
        mostBytesSeen = size
        mayRenewLink = true
        attempts.madeProgress()
    }

    /// nil when the file has to be fetched once more.
    private mutating func install(
        _ complete: PartialFile, _ link: DownloadRules.Link, isResumed: Bool
    ) throws(DownloadFailure) -> CustomModel? {
        file = nil
        do throws(FileError) {
            try complete.verify()
        } catch {
            guard error.code == .mismatch, isResumed, mayStartOver else { throw DownloadFailure(error) }
            // A power loss may have damaged the older bytes, whoever sent them.
            mayStartOver = false
            return nil
        }
        try tryLoading(complete.path, complete.digest) { complete.discard() }
        return try mapped { () throws(FileError) in
            try store.install(
                complete, name: name, version: link.version, experiments: link.experiments,
                mayWait: { [attempts] in attempts.mayGoOn })
        }
    }

    /// The app's own check, before the pointer moves: the installed model stays if this one does not load here. This fetch
    /// fails, so that the app is told; later ones find the reason in the store and keep what is installed.
    private func tryLoading(
        _ path: String, _ digest: SHA256Digest, discard: () -> Void = {}
    ) throws(DownloadFailure) {
        guard let loadCheck = settings.loadCheck else { return }
        do {
            try loadCheck(path)
        } catch {
            let reason = DownloadFailure.singleLine("\(error)")
            let usable = reject(digest, reason: reason, discard) ?? found.model
            throw .unusable(name, reason: reason, hasPrevious: usable != nil)
        }
    }

    /// Gives what is installed now. What fails here, on a full disk, does not matter beside the refusal itself: the bytes
    /// stay then, and need not come again to be refused again.
    private func reject(_ digest: SHA256Digest, reason: String, _ discard: () -> Void) -> CustomModel? {
        do throws(FileError) {
            let usable = try store.reject(digest, of: name, reason: reason)
            discard()
            return usable
        } catch {
            return nil
        }
    }

    private func rejectionReason(_ digest: SHA256Digest) throws(DownloadFailure) -> String? {
        try mapped { () throws(FileError) in try store.rejectionReason(digest, of: name) }
    }

    private func mapped<Value>(_ body: () throws(FileError) -> Value) throws(DownloadFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            // Why the wait for the store ended, if it was for the fetch to end.
            if error.code == .busy { try attempts.check() }
            throw DownloadFailure(error)
        }
    }
}
