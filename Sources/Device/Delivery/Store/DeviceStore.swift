import Foundation
import HearthCrypto
import HearthFiles
import HearthWire

/// The models on this device: a pointer per name, and content-addressed files.
///
/// Several processes may share one store. A file becomes visible only after its length and hash were checked, and the
/// pointer moves only after that. A file is never changed in place, and never deleted while somebody uses it. Calls
/// block; use it from any thread.
struct DeviceStore: Sendable {
    /// The version that a model put aside is put aside for: another engine may load it. Each new engine comes with a new version.
    static let libraryVersion = HearthVersion.text

    let layout: StoreLayout
    private let quota: StoreQuota
    private let libraryVersion: String
    private let now: @Sendable () -> Timestamp

    /// Opens the store, made if there is none, and brings it to the current format.
    ///
    /// - Parameters:
    ///   - quotaBytes: the most bytes of models, whole or partial; nil for no limit.
    ///   - reservedFreeBytes: what stays free on the disk.
    ///   - longestWait: how long a change waits for another program that holds the whole store. One that works holds it
    ///     for moments.
    ///   - now: the device's clock. If it is wrong, unfinished downloads begin anew, and no more.
    /// - Throws: `.incompatible` when a newer version wrote the store; nothing is touched then.
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

    enum LookupResult: Sendable, Equatable {
        case installed(CustomModel)
        case missing
        /// The installed file is not what it should be, or gone. `previous` is the version before it, if that is whole:
        /// something to go on with while the model is fetched again.
        case damaged(previous: CustomModel?)

        /// What there is to use.
        var model: CustomModel? {
            switch self {
            case .installed(let model): model
            case .missing: nil
            case .damaged(let previous): previous
            }
        }
    }

    /// The installed model, verified: its file is read unless this process has done so since the file last changed.
    func find(_ name: String) throws(FileError) -> LookupResult {
        var pointer = try pointers.pointer(name)
        while let seen = pointer, let current = seen.current {
            if let model = try open(current, of: name) { return .installed(model) }
            // Another process may have updated the model and tidied up between the two looks.
            pointer = try pointers.pointer(name)
            if pointer == seen { return .damaged(previous: try open(seen.previous, of: name)) }
        }
        return .missing
    }

    /// Whether there is a record and a file of the right length. Quick: nothing is read but the record.
    func isInstalled(_ name: String) -> Bool {
        guard let current = try? pointers.pointer(name)?.current, let digest = current.digest else { return false }
        return (try? content.size(of: digest)) == current.size
    }

    /// Every installed model whose file is there with the right length; not verified. Records that are not readable
    /// are left out. Nothing holds the paths: a later update or deletion may remove the files; `find` gives one to keep.
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

    /// Every model that was installed, whatever became of its file.
    func records() throws(FileError) -> [CustomModel] {
        try pointers.all().compactMap { pointer in
            guard let current = pointer.current, let digest = current.digest else { return nil }
            return CustomModel(
                name: pointer.name, size: Int(clamping: current.size), path: content.path(of: digest),
                hash: current.hash, version: current.version)
        }
    }

    /// False when there is no such model. What this process has handed out of it no longer keeps its path; other
    /// processes' paths stay while they use them.
    ///
    /// - Throws: `.busy` when another program holds the whole store for longer than the longest wait, as each change does.
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

    /// One process at a time downloads a model; the others wait here as long as `mayWait` allows it, which is asked some
    /// fifty times a second. Nil when it no longer does.
    func lock(_ name: String, asLongAs mayWait: () -> Bool = { true }) throws(FileError) -> FileLock? {
        try layout.makeFolders()
        return try FileLock.acquire(pointers.lockPath(name), asLongAs: mayWait)
    }

    /// Begins the file of a model, or goes on with what an earlier try left of the same bytes. Hold the model's lock.
    ///
    /// - Parameter mayWait: asked some fifty times a second while another program holds the whole store; false ends the
    ///   waiting. nil for the store's longest wait.
    /// - Throws: `.noSpace` when the quota or the disk has no room for it, `.busy` when the store was not free in time.
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
        let room = StoreEviction(quota: quota, layout: layout, collection: collection)
        guard let (file, bytes) = try partials.claim(digest, record: record) else {
            try room.makeSpace(for: name, digest, size: size, claimed: nil)
            return (try partials.createUnnamed(digest, size: size), 0)
        }
        try room.makeSpace(for: name, digest, size: size, claimed: bytes)
        try file.writeRecord()
        return (file, bytes)
    }

    /// Checks length and hash, gives the file its name, then moves the pointer.
    ///
    /// - Parameter mayWait: as for `begin`.
    /// - Throws: `.mismatch` when the bytes are not the announced ones; they are deleted then. `.busy` when the store was
    ///   not free in time; they stay then.
    func install(
        _ file: PartialFile, name: String, version: Int?, experiments: [ModelExperiment] = [],
        mayWait: (() -> Bool)? = nil
    ) throws(FileError) -> CustomModel {
        // The slow parts, before the lock: the bytes go to the disk, and older ones are read.
        try file.verify()
        let new = ModelVersion(
            hash: file.digest.hex, size: file.expectedSize, version: version, experiments: experiments)
        let place = content.path(of: file.digest)
        let stamp = FileStamp(path: place)
        var sameBytes = try layout.wholeFile(new)
        let seen = try pointers.pointer(name)
        let isOldWhole = try seen?.current.map { old throws(FileError) in try layout.wholeFile(old) != nil } ?? false

        let lock = try layout.lock(mayWait: mayWait)
        defer { withExtendedLifetime(lock) {} }
        // Somebody else may have installed, and handed out, the same bytes meanwhile.
        if FileStamp(path: place) != stamp { sameBytes = try layout.wholeFile(new) }
        if let sameBytes, sameBytes.isInPlace {
            file.discard()
            // Whoever installed it may have died before its name was safe.
            try layout.files.synchronizeFolder(content.folder)
        } else {
            try file.move(to: place)
        }
        var pointer = try pointers.pointer(name) ?? ModelPointer(name: name)
        // Back to a version that is damaged there is no way: keep the one before it.
        let isOldKept = pointer.current?.hash != new.hash && (isOldWhole || pointer.current != seen?.current)
        if isOldKept { pointer.previous = pointer.current?.replaced }
        if pointer.previous?.hash == new.hash { pointer.previous = nil }
        pointer.current = new
        pointer.rejected.removeAll { $0.hash == new.hash }
        try pointers.write(pointer)
        return try finishInstall(new, of: name)
    }

    private func finishInstall(_ new: ModelVersion, of name: String) throws(FileError) -> CustomModel {
        try? partials.dropAll(of: name)
        guard let digest = new.digest, let lease = try FileLease.take(content.path(of: digest)) else {
            throw FileError(
                .notFound, "The store \(layout.folder) was removed while a model was installed: fetch it again")
        }
        let model = vend(lease, new, of: name)
        collectQuietly()
        return model
    }

    /// The version does not work here: the one before it, if that is whole, is installed again, and the reason is
    /// remembered. In this process alone when the disk cannot be written.
    ///
    /// - Returns: what is installed now, verified.
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
            // Nothing to go back to.
            pointer.previous = nil
        }
        pointer.reject(version)
        try pointers.write(pointer)
        LeasedFiles.shared.release(leaseOwner(name), path: content.path(of: digest))
        collectQuietly()
    }

    /// Why the version must not be fetched again; nil when it may.
    func rejectionReason(_ digest: SHA256Digest, of name: String) throws(FileError) -> String? {
        try pointers.pointer(name)?.rejected.last { $0.hash == digest.hex && $0.libraryVersion == libraryVersion }?
            .reason
    }

    /// Deletes what nothing refers to, nobody uses and nobody will resume. Also done after each install and delete.
    ///
    /// - Returns: how many files it deleted.
    func collect() throws(FileError) -> Int {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        return try collection.run()
    }
}

extension DeviceStore {
    /// The model, if its file is whole.
    func open(_ version: ModelVersion?, of name: String) throws(FileError) -> CustomModel? {
        guard let version, let lease = try layout.wholeFile(version) else { return nil }
        return vend(lease, version, of: name)
    }

    func vend(_ lease: FileLease, _ version: ModelVersion, of name: String) -> CustomModel {
        LeasedFiles.shared.keep(lease, of: leaseOwner(name))
        return model(version, named: name, at: lease.path)
    }

    private func model(_ version: ModelVersion, named name: String, at path: String) -> CustomModel {
        CustomModel(
            name: name, size: Int(clamping: version.size), path: path, hash: version.hash, version: version.version,
            experiments: version.experiments)
    }

    private func leaseOwner(_ name: String) -> LeasedFiles.Model {
        LeasedFiles.Model(folder: layout.folder, name: name)
    }

    private var collection: StoreGarbageCollector { StoreGarbageCollector(layout: layout, now: now()) }

    /// What cannot be deleted now stays for the next time: the change that came before it is done.
    func collectQuietly() { _ = try? collection.run() }
}

/// What the server's releases ask for without sending a file.
extension DeviceStore {
    /// Notes under which number the server knows the installed bytes now, and for which experiments it chose them.
    func updateMetadata(_ model: CustomModel) throws(FileError) {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        guard var pointer = try pointers.pointer(model.name), pointer.current?.hash == model.hash else { return }
        pointer.current?.version = model.version
        pointer.current?.experiments = model.experiments
        try pointers.write(pointer)
    }

    /// The version before the installed one, verified, if it has these bytes. Hold the model's lock.
    func previous(_ digest: SHA256Digest, of name: String) throws(FileError) -> CustomModel? {
        guard let previous = try pointers.pointer(name)?.previous, previous.digest == digest else { return nil }
        return try open(previous, of: name)
    }

    /// Installs the version before the installed one again, and keeps the installed one, if that is whole, as the one before.
    /// Hold the model's lock.
    ///
    /// - Parameter mayWait: as for `begin`.
    /// - Returns: nil when the version before has other bytes, or is not whole.
    func rollBack(
        to digest: SHA256Digest, of name: String, version: Int?, experiments: [ModelExperiment] = [],
        mayWait: (() -> Bool)? = nil
    ) throws(FileError) -> CustomModel? {
        // The slow part, before the lock.
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
