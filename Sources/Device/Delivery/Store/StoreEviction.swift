import HearthCrypto
import HearthFiles

/// Deletes files until a download fits, or explains why it does not. Hold the store's lock.
struct StoreEviction {
    let quota: StoreQuota
    let layout: StoreLayout
    let collection: StoreGarbageCollector

    private var content: ContentStore { layout.content }

    /// Deletes garbage and then, if that is not enough, previous versions that no process uses.
    ///
    /// - Parameter claimed: The bytes of the unfinished download that is to be resumed; nil for a private file.
    /// - Throws: `.noSpace` when the model still does not fit.
    func makeSpace(for name: String, _ digest: SHA256Digest, size: UInt64, claimed: UInt64?) throws(FileError) {
        guard try quota.shortage(demand(digest, size, claimed)) > 0 else { return }
        _ = try collection.run()
        let shortage = try quota.shortage(demand(digest, size, claimed))
        guard shortage > 0 else { return }
        if try evictPreviousVersions(for: name, digest, shortage: shortage) { _ = try collection.run() }
        let demand = try demand(digest, size, claimed)
        guard quota.shortage(demand) == 0 else { throw FileError(.noSpace, quota.explanation(name, demand)) }
    }

    private func demand(
        _ digest: SHA256Digest, _ size: UInt64, _ claimed: UInt64?
    ) throws(FileError) -> StoreQuota.Demand {
        let folder = content.folder
        var demand = StoreQuota.Demand(
            size: size, kept: claimed ?? 0, others: 0, othersToCome: 0, free: try layout.files.freeBytes(folder))
        // An installed file with the same hash is damaged, and the new one replaces it.
        for other in try content.digests() where other != digest {
            demand.others = StoreQuota.sum(demand.others, try content.size(of: other) ?? 0)
        }
        for partial in try layout.partials.all() where partial.digest != digest || claimed == nil {
            let size = try layout.partials.size(of: partial.digest, record: partial.record)
            demand.others = StoreQuota.sum(demand.others, size.later)
            demand.othersToCome = StoreQuota.sum(demand.othersToCome, size.later - size.now)
        }
        for name in try layout.files.list(folder) where name.hasPrefix(ContentStore.incomingPrefix) {
            demand.others = StoreQuota.sum(demand.others, try layout.files.size(FilePath.join(folder, name)) ?? 0)
        }
        return demand
    }

    /// Removes previous versions from their pointers. Returns false, and removes none, when that would not free enough
    /// bytes: then each stays for a rollback.
    private func evictPreviousVersions(
        for name: String, _ digest: SHA256Digest, shortage: UInt64
    ) throws(FileError) -> Bool {
        let all = try layout.pointers.all()
        // A file that is the previous version of several models is deleted only if all of them give it up, and its
        // bytes count once.
        let holders = Dictionary(grouping: all) { $0.previous?.digest }
        var considered = Set(all.compactMap { $0.current?.digest }).union([digest])
        var gained: UInt64 = 0
        var chosen: [ModelPointer] = []
        // The model's own previous version first.
        for pointer in all.filter({ $0.name == name }) + all.filter({ $0.name != name }) where gained < shortage {
            guard let previous = pointer.previous?.digest, considered.insert(previous).inserted,
                let size = try content.size(of: previous)
            else { continue }
            let sharing = holders[previous, default: []]
            guard try isEvictable(previous, of: sharing) else { continue }
            gained = StoreQuota.sum(gained, size)
            chosen += sharing
        }
        guard gained >= shortage else { return false }
        for var pointer in chosen {
            pointer.previous = nil
            try layout.pointers.write(pointer)
        }
        return true
    }

    /// Whether no process uses the version and the versions that replaced it are whole.
    private func isEvictable(_ previous: SHA256Digest, of holders: [ModelPointer]) throws(FileError) -> Bool {
        guard !FileLease.isInUse(content.path(of: previous)) else { return false }
        for holder in holders {
            guard let current = holder.current, try layout.wholeFile(current) != nil else { return false }
        }
        return true
    }
}
