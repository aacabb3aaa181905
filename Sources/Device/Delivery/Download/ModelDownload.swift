import HearthApp
import HearthConcurrency
import HearthCrypto
import HearthEvents
import HearthFiles
import HearthWire

/// One download: from the request for the newest version to the installed file. Blocks; one owner, one thread.
///
/// Tries again after temporary failures until the deadline. After any failure, the installed version stays installed,
/// and the bytes that have arrived stay for the next download, in this process or another one.
struct ModelDownload {
    private let name: String
    private let app: FirebaseApp
    private let store: DeviceStore
    private let conditions: DownloadConditions
    private let settings: DeliverySettings
    private let attempts: DownloadAttempts
    private let progress: ByteProgress

    /// Called when a version was installed or rejected.
    var onHealth: (SHA256Digest, HealthChange) -> Void = { _, _ in }

    private var found = DeviceStore.LookupResult.missing
    private var link: DownloadRules.Link?
    private var file: PartialFile?
    /// The most bytes of the file that were ever there: only more bytes count as progress.
    private var mostBytesSeen: UInt64 = 0
    private var mayRenewLink = true
    private var mayStartOver = true

    /// Prepares a download.
    ///
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

    /// The newest published version that works here. If the server says that it is the installed one, returns that;
    /// otherwise downloads and installs it.
    mutating func run() throws(DownloadFailure) -> CustomModel {
        // One process at a time: after a wait here, a process finds the model installed and gets "not modified".
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        found = try mapped { () throws(FileError) in try store.find(name) }
        while true {
            try attempts.check()
            do throws(DownloadFailure) {
                if let model = try step() { return model }
            } catch {
                if error.code == .noSpace, let link { VersionsWithoutRoom.shared.add(link.digest, of: name, app) }
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
            .tooSlow,
            "This download waited until its deadline for another program that was downloading the same model: try again later.",
            error: .failedPrecondition, isTemporary: true)
    }

    /// The next step: the request for the newest version, or the transfer. nil when another step follows.
    private mutating func step() throws(DownloadFailure) -> CustomModel? {
        guard let link else { return try requestInfo() }
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

    // MARK: The newest version

    private mutating func requestInfo() throws(DownloadFailure) -> CustomModel? {
        let installed: CustomModel? = if case .installed(let model) = found { model } else { nil }
        let answer = try DownloadInfoCall(app: app).send(
            name, installedHash: installed?.hash,
            mayDownload: ConditionRules.areMet(conditions, on: settings.deviceConditions), obstacles: obstacles(),
            settings: settings, attempts: attempts)
        switch answer {
        case .keepInstalled(let version, let experiments):
            return installed.map { recordAssignment($0, version, experiments) }
        case .download(let link):
            // Recorded even if the installed version stays for a while: an installation takes part from the answer on,
            // whether or not its variant must be downloaded. Otherwise, installations that need no download would be
            // counted earlier and more often.
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

    /// What the server is told about versions that this device does not install.
    private func obstacles() -> [CannotInstall] {
        // The call is worth more than this detail of it.
        let rejected = (try? store.rejectedHashes(of: name)) ?? []
        let withoutRoom = VersionsWithoutRoom.shared.version(of: name, app).map { CannotInstall.storage(hash: $0.hex) }
        return (withoutRoom.map { [$0] } ?? []) + rejected.map { CannotInstall.rejected(hash: $0) }
    }

    /// Rolls back without a transfer, if the version before the installed one has the bytes of `link`.
    private func rollBack(_ link: DownloadRules.Link) throws(DownloadFailure) -> CustomModel? {
        let previous = try mapped { () throws(FileError) in try store.previous(link.digest, of: name) }
        guard let previous else { return nil }
        try tryLoading(previous.path, link.digest)
        let model = try mapped { () throws(FileError) in
            try store.rollBack(
                to: link.digest, of: name, version: link.version, experiments: link.experiments,
                mayWait: { [attempts] in attempts.mayGoOn })
        }
        if model != nil { onHealth(link.digest, .installed) }
        return model
    }

    /// Records a new version number or new experiments of the installed bytes: the same bytes may have been published
    /// again, or may now be another variant's. If the disk cannot be written, the next answer brings the values again.
    private func recordAssignment(_ model: CustomModel, _ version: Int?, _ experiments: [ModelExperiment])
        -> CustomModel
    {
        let version = version ?? model.version
        guard version != model.version || experiments != model.experiments else { return model }
        let new = model.with(version, experiments)
        try? store.updateMetadata(new)
        return new
    }

    /// Requests a new link, once in a row: when bytes arrive in between, a slow download may use many links.
    private mutating func renewLink(_ state: DownloadRules.LinkState) throws(DownloadFailure) {
        countProgress()
        guard mayRenewLink else { throw state == .expired ? DownloadRules.linkExpired : DownloadRules.linkRefused }
        mayRenewLink = false
        link = nil
    }

    // MARK: The file

    /// Opens the file once for each link. The bytes in it then are from an earlier download.
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

    /// Installs the complete file; nil when it must be downloaded again.
    private mutating func install(
        _ complete: PartialFile, _ link: DownloadRules.Link, isResumed: Bool
    ) throws(DownloadFailure) -> CustomModel? {
        file = nil
        do throws(FileError) {
            try complete.verify()
        } catch {
            guard error.code == .mismatch, isResumed, mayStartOver else { throw DownloadFailure(error) }
            // A power loss may have damaged the bytes of an earlier attempt.
            mayStartOver = false
            return nil
        }
        try tryLoading(complete.path, complete.digest) { complete.discard() }
        let model = try mapped { () throws(FileError) in
            try store.install(
                complete, name: name, version: link.version, experiments: link.experiments,
                mayWait: { [attempts] in attempts.mayGoOn })
        }
        VersionsWithoutRoom.shared.remove(name, app)
        onHealth(link.digest, .installed)
        return model
    }

    /// Runs the app's load check before the pointer moves: the installed model stays if this one does not load here.
    /// This download fails, so that the app learns about it; later ones find the reason in the store and keep the
    /// installed version.
    private func tryLoading(
        _ path: String, _ digest: SHA256Digest, discard: () -> Void = {}
    ) throws(DownloadFailure) {
        guard let loadCheck = settings.loadCheck else { return }
        do {
            try loadCheck(path)
        } catch {
            let reason = DownloadFailure.singleLine("\(error)")
            let usable = reject(digest, reason: reason, discard) ?? found.model
            onHealth(digest, .loadFailed(code: "loadCheck"))
            onHealth(digest, .rejected)
            throw .unusable(name, reason: reason, hasPrevious: usable != nil, cause: error)
        }
    }

    /// Rejects the version and returns the model that is installed now. When the rejection cannot be stored, on a full
    /// disk, the bytes stay, so that they need not be downloaded again to be refused again.
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
            // The wait for the store's lock may have ended because the download was cancelled or passed its deadline.
            if error.code == .busy { try attempts.check() }
            throw DownloadFailure(error)
        }
    }
}
