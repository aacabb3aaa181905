import HearthCrypto
import HearthFiles

/// Makes room for a download, or says why there is none. Under the store's lock.
struct StoreRoom {
    let quota: StoreQuota
    let layout: StoreLayout
    let collection: StoreCollection

    private var content: ContentStore { layout.content }

    /// Deletes garbage, and then previous versions that nobody uses, if that is what it takes.
    ///
    /// - Parameter claimed: the bytes of the unfinished download that is to be resumed; nil for a private file.
    /// - Throws: `.noSpace` when it does not fit all the same.
    func make(for name: String, _ digest: SHA256Digest, size: UInt64, claimed: UInt64?) throws(FileError) {
        guard try quota.shortage(demand(digest, size, claimed)) > 0 else { return }
        _ = try collection.run()
        let shortage = try quota.shortage(demand(digest, size, claimed))
        guard shortage > 0 else { return }
        if try giveUpPreviousVersions(for: name, digest, shortage: shortage) { _ = try collection.run() }
        let demand = try demand(digest, size, claimed)
        guard quota.shortage(demand) == 0 else { throw FileError(.noSpace, quota.explanation(name, demand)) }
    }

    private func demand(
        _ digest: SHA256Digest, _ size: UInt64, _ claimed: UInt64?
    ) throws(FileError) -> StoreQuota.Demand {
        let folder = content.folder
        var demand = StoreQuota.Demand(
            size: size, kept: claimed ?? 0, others: 0, othersToCome: 0, free: try layout.files.freeBytes(folder))
        // An installed file with the same hash is damaged: the new one takes its place.
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

    /// False when giving them up would not help: then each stays, as something to go back to.
    private func giveUpPreviousVersions(
        for name: String, _ digest: SHA256Digest, shortage: UInt64
    ) throws(FileError) -> Bool {
        let all = try layout.pointers.all()
        // A file that several models go back to goes when all of them give it up, and counts once.
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
            guard try isExpendable(previous, of: sharing) else { continue }
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

    /// Nobody uses it, and the versions that came after it are whole.
    private func isExpendable(_ previous: SHA256Digest, of holders: [ModelPointer]) throws(FileError) -> Bool {
        guard !FileLease.isInUse(content.path(of: previous)) else { return false }
        for holder in holders {
            guard let current = holder.current, try layout.wholeFile(current) != nil else { return false }
        }
        return true
    }
}
