import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The models on this device: a pointer per name, and content-addressed files.
///
/// Several processes may share one store. A file becomes visible only after its length and hash were checked, and the
/// pointer moves only after that. The store never changes a file in place, and never deletes a file that a process
/// uses. Calls block; call them from any thread.
struct DeviceStore: Sendable {
    /// A rejection is valid for this version of the library only: another engine may load the model, and each new
    /// engine comes with a new version.
    static let libraryVersion = HearthVersion.text

    let layout: StoreLayout
    private let quota: StoreQuota
    private let libraryVersion: String
    private let now: @Sendable () -> Timestamp

    /// Opens the store, creates it if it is missing, and brings it to the current format.
    ///
    /// - Parameters:
    ///   - quotaBytes: The most bytes of models, whole or partial; nil for no limit.
    ///   - reservedFreeBytes: How many bytes stay free on the disk.
    ///   - longestWait: How long a change waits for another program that holds the lock of the whole store. A working
    ///     program holds that lock only for moments.
    ///   - now: The device's clock. If it is wrong, unfinished downloads begin again; it has no other effect.
    /// - Throws: `.incompatible` when a newer version wrote the store, which then stays unchanged.
    init(
        folder: String, files: any FileOperations, quotaBytes: UInt64? = nil, reservedFreeBytes: UInt64 = 0,
        libraryVersion: String = Self.libraryVersion, longestWait: Duration = .seconds(10),
        now: @escaping @Sendable () -> Timestamp = {
            Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        }
    ) throws(FileError) {
        layout = try StoreLayout(folder: folder, files: files, longestWait: longestWait)
        quota = StoreQuota(quotaBytes: quotaBytes, reservedFreeBytes: reservedFreeBytes)
        self.libraryVersion = libraryVersion
        self.now = now
    }

    var pointers: PointerFolder { layout.pointers }
    private var content: ContentStore { layout.content }
    private var partials: PartialFolder { layout.partials }

    /// What a lookup of a model finds.
    enum LookupResult: Sendable, Equatable {
        case installed(CustomModel)
        case missing
        /// The installed file is missing or has other bytes than the installed ones. `previous` is the version before
        /// it, if that one is whole: the app can use it while the model is downloaded again.
        case damaged(previous: CustomModel?)

        /// The model that the app can use.
        var model: CustomModel? {
            switch self {
            case .installed(let model): model
            case .missing: nil
            case .damaged(let previous): previous
            }
        }
    }

    /// The installed model, verified. Reads the file unless this process has done so since the file last changed.
    func find(_ name: String) throws(FileError) -> LookupResult {
        var pointer = try pointers.pointer(name)
        while let seen = pointer, let current = seen.current {
            if let model = try open(current, of: name) { return .installed(model) }
            // Between the two reads, another process may have updated the model and deleted the old file.
            pointer = try pointers.pointer(name)
            if pointer == seen { return .damaged(previous: try open(seen.previous, of: name)) }
        }
        return .missing
    }

    /// Whether a record and a file of the right length exist. Quick: reads the record only.
    func isInstalled(_ name: String) -> Bool {
        guard let current = try? pointers.pointer(name)?.current, let digest = current.digest else { return false }
        return (try? content.size(of: digest)) == current.size
    }

    /// Every installed model whose file exists with the right length; the files are not verified. Leaves out records
    /// that are not readable. Takes no leases, so a later update or deletion may remove the files; `find` returns a
    /// path that stays.
    func list() throws(FileError) -> [CustomModel] {
        var models: [CustomModel] = []
        for pointer in try pointers.all() {
            guard let current = pointer.current, let digest = current.digest,
                try content.size(of: digest) == current.size
            else { continue }
            models.append(model(current, named: pointer.name, at: content.path(of: digest)))
        }
        return models
    }

    /// Every model that was installed, even if its file is damaged or missing.
    func records() throws(FileError) -> [CustomModel] {
        try pointers.all().compactMap { pointer in
            guard let current = pointer.current, let digest = current.digest else { return nil }
            return CustomModel(
                name: pointer.name, size: Int(clamping: current.size), path: content.path(of: digest),
                hash: current.hash, version: current.version)
        }
    }

    /// Removes a model. The paths that this process has returned for it become invalid; the paths of other processes
    /// stay while they use them.
    ///
    /// - Returns: Whether a version of the model was installed.
    /// - Throws: `.busy` when another program holds the lock of the whole store for longer than the longest wait. Every
    ///   change can throw this.
    func delete(_ name: String) throws(FileError) -> Bool {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        try? partials.dropAll(of: name)
        guard try pointers.exists(name) else { return false }
        let isInstalled = try pointers.pointer(name).map { $0.current != nil } ?? true
        try pointers.remove(name)
        LeasedFiles.shared.release(leaseOwner(name))
        collectQuietly()
        return isInstalled
    }

    /// Takes the model's lock: one process at a time downloads a model.
    ///
    /// - Parameter mayWait: Called about 50 times a second while another process holds the lock; false ends the wait.
    /// - Returns: nil when `mayWait` ended the wait.
    func lock(_ name: String, asLongAs mayWait: () -> Bool = { true }) throws(FileError) -> FileLock? {
        try layout.makeFolders()
        return try FileLock.acquire(pointers.lockPath(name), asLongAs: mayWait)
    }

    /// Begins the file of a model, or resumes what an earlier attempt left of the same bytes. Hold the model's lock.
    ///
    /// - Parameter mayWait: Called about 50 times a second while another program holds the lock of the whole store;
    ///   false ends the wait. nil for the store's longest wait.
    /// - Throws: `.noSpace` when the model does not fit the quota or the disk, `.busy` when the lock was not free in
    ///   time.
    func begin(
        name: String, digest: SHA256Digest, size: UInt64, mayWait: (() -> Bool)? = nil
    ) throws(FileError) -> PartialFile {
        let (file, bytes) = try claim(name, digest, size, mayWait)
        try file.resume(bytes)
        return file
    }

    private func claim(
        _ name: String, _ digest: SHA256Digest, _ size: UInt64, _ mayWait: (() -> Bool)?
    ) throws(FileError) -> (PartialFile, UInt64) {
        let lock = try layout.lock(mayWait: mayWait)
        defer { withExtendedLifetime(lock) {} }
        try layout.moveFolderAway(of: digest)
        try partials.dropAll(of: name, but: digest)
        let record = PartialRecord(
            name: name, size: size, begun: now(), installedHash: try pointers.pointer(name)?.current?.hash)
        let eviction = StoreEviction(quota: quota, layout: layout, collection: collection)
        guard let (file, bytes) = try partials.claim(digest, record: record) else {
            try eviction.makeSpace(for: name, digest, size: size, claimed: nil)
            return (try partials.createUnnamed(digest, size: size), 0)
        }
        try eviction.makeSpace(for: name, digest, size: size, claimed: bytes)
        try file.writeRecord()
        return (file, bytes)
    }

    /// Checks length and hash, gives the file its name, then moves the pointer.
    ///
    /// - Parameter mayWait: As for `begin`.
    /// - Throws: `.mismatch` when the bytes are not the announced ones; the file is deleted then. `.busy` when the
    ///   store's lock was not free in time; the file stays then.
    func install(
        _ file: PartialFile, name: String, version: Int?, experiments: [ModelExperiment] = [],
        mayWait: (() -> Bool)? = nil
    ) throws(FileError) -> CustomModel {
        // The slow parts run before the lock: they write the bytes to the disk and read older files.
        try file.verify()
        let new = StoredVersion(
            hash: file.digest.hex, size: file.expectedSize, version: version, experiments: experiments)
        let place = content.path(of: file.digest)
        let stamp = FileStamp(path: place)
        var sameBytes = try layout.wholeFile(new)
        let seen = try pointers.pointer(name)
        let isOldWhole = try seen?.current.map { old throws(FileError) in try layout.wholeFile(old) != nil } ?? false

        let lock = try layout.lock(mayWait: mayWait)
        defer { withExtendedLifetime(lock) {} }
        // Another process may have installed the same bytes meanwhile, and an app may use them.
        if FileStamp(path: place) != stamp { sameBytes = try layout.wholeFile(new) }
        if let sameBytes, sameBytes.isInPlace {
            file.discard()
            // The process that installed it may have ended before the file's name was safe on the disk.
            try layout.files.synchronizeFolder(content.folder)
        } else {
            try file.move(to: place)
        }
        var pointer = try pointers.pointer(name) ?? ModelPointer(name: name)
        // A rollback to a damaged version is impossible, so keep the one before it instead.
        let isOldKept = pointer.current?.hash != new.hash && (isOldWhole || pointer.current != seen?.current)
        if isOldKept { pointer.previous = pointer.current?.replaced }
        if pointer.previous?.hash == new.hash { pointer.previous = nil }
        pointer.current = new
        pointer.rejected.removeAll { $0.hash == new.hash }
        try pointers.write(pointer)
        return try finishInstall(new, of: name)
    }

    private func finishInstall(_ new: StoredVersion, of name: String) throws(FileError) -> CustomModel {
        try? partials.dropAll(of: name)
        guard let digest = new.digest, let lease = try FileLease.take(content.path(of: digest)) else {
            throw FileError(
                .notFound,
                "The store \(layout.folder) was removed while a model was installed: download the model again")
        }
        let model = vend(lease, new, of: name)
        collectQuietly()
        return model
    }

    /// Records that the version does not work here, with the reason, and installs the version before it again, if that
    /// one is whole. When the disk cannot be written, the rejection is valid in this process only.
    ///
    /// - Returns: The model that is installed now, verified.
    func reject(_ digest: SHA256Digest, of name: String, reason: String) throws(FileError) -> CustomModel? {
        let version = RejectedVersion(hash: digest.hex, reason: reason, libraryVersion: libraryVersion)
        do throws(FileError) {
            try writeRejection(digest, of: name, version)
        } catch let error where error.code != .incompatible {
            pointers.rejectInMemory(version, of: name)
        }
        return try open(pointers.pointer(name)?.current, of: name)
    }

    private func writeRejection(_ digest: SHA256Digest, of name: String, _ version: RejectedVersion) throws(FileError) {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        var pointer = try pointers.pointer(name) ?? ModelPointer(name: name)
        if pointer.current?.digest == digest, let old = pointer.previous, try layout.wholeFile(old) == nil {
            // No rollback is possible.
            pointer.previous = nil
        }
        pointer.reject(version)
        try pointers.write(pointer)
        LeasedFiles.shared.release(leaseOwner(name), path: content.path(of: digest))
        collectQuietly()
    }

    /// Why the version must not be downloaded again; nil when it may be.
    func rejectionReason(_ digest: SHA256Digest, of name: String) throws(FileError) -> String? {
        try pointers.pointer(name)?.rejected.last { $0.hash == digest.hex && $0.libraryVersion == libraryVersion }?
            .reason
    }

    /// The hashes of the versions that must not be downloaded again, oldest first.
    func rejectedHashes(of name: String) throws(FileError) -> [String] {
        try pointers.pointer(name)?.rejected.filter { $0.libraryVersion == libraryVersion }.map(\.hash) ?? []
    }

    /// Deletes files that no pointer refers to, no process uses and no download will resume. Each install and deletion
    /// does the same.
    ///
    /// - Returns: How many files it deleted.
    func collect() throws(FileError) -> Int {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        return try collection.run()
    }
}

extension DeviceStore {
    /// The model, if its file is whole. Keeps the file from being deleted.
    func open(_ version: StoredVersion?, of name: String) throws(FileError) -> CustomModel? {
        guard let version, let lease = try layout.wholeFile(version) else { return nil }
        return vend(lease, version, of: name)
    }

    /// Keeps the file from being deleted while the app may use the returned model.
    func vend(_ lease: FileLease, _ version: StoredVersion, of name: String) -> CustomModel {
        LeasedFiles.shared.keep(lease, of: leaseOwner(name))
        return model(version, named: name, at: lease.path)
    }

    private func model(_ version: StoredVersion, named name: String, at path: String) -> CustomModel {
        CustomModel(
            name: name, size: Int(clamping: version.size), path: path, hash: version.hash, version: version.version,
            experiments: version.experiments)
    }

    private func leaseOwner(_ name: String) -> LeasedFiles.Model {
        LeasedFiles.Model(folder: layout.folder, name: name)
    }

    private var collection: StoreGarbageCollector { StoreGarbageCollector(layout: layout, now: now()) }

    /// Runs the garbage collection and ignores its errors: the change before it is complete, and the next run deletes
    /// what is left.
    func collectQuietly() { _ = try? collection.run() }
}

/// Changes that a server's release can require without sending a file.
extension DeviceStore {
    /// Records the version number that the server now has for the installed bytes, and the experiments for which it
    /// chose them.
    func updateMetadata(_ model: CustomModel) throws(FileError) {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        guard var pointer = try pointers.pointer(model.name), pointer.current?.hash == model.hash else { return }
        pointer.current?.version = model.version
        pointer.current?.experiments = model.experiments
        try pointers.write(pointer)
    }

    /// The version before the installed one, verified, if its hash is `digest`. Hold the model's lock.
    func previous(_ digest: SHA256Digest, of name: String) throws(FileError) -> CustomModel? {
        guard let previous = try pointers.pointer(name)?.previous, previous.digest == digest else { return nil }
        return try open(previous, of: name)
    }

    /// Installs the version before the installed one again. Keeps the installed one, if it is whole, as the version
    /// before. Hold the model's lock.
    ///
    /// - Parameter mayWait: As for `begin`.
    /// - Returns: nil when the version before has another hash, or is not whole.
    func rollBack(
        to digest: SHA256Digest, of name: String, version: Int?, experiments: [ModelExperiment] = [],
        mayWait: (() -> Bool)? = nil
    ) throws(FileError) -> CustomModel? {
        // The slow part runs before the lock.
        let seen = try pointers.pointer(name)?.current
        let isOldWhole = try seen.map { old throws(FileError) in try layout.wholeFile(old) != nil } ?? false

        let lock = try layout.lock(mayWait: mayWait)
        defer { withExtendedLifetime(lock) {} }
        guard var pointer = try pointers.pointer(name), var new = pointer.previous, new.digest == digest,
            let lease = try layout.wholeFile(new)
        else { return nil }
        new.version = version ?? new.version
        new.experiments = experiments
        pointer.previous = isOldWhole || pointer.current != seen ? pointer.current?.replaced : nil
        pointer.current = new
        pointer.rejected.removeAll { $0.hash == new.hash }
        try pointers.write(pointer)
        let model = vend(lease, new, of: name)
        collectQuietly()
        return model
    }
}
