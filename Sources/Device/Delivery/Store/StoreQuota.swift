import HearthCrypto
import HearthFiles

/// How much the store may hold, and must leave free. Pure.
struct StoreQuota: Sendable {
    /// The most bytes of models, whole or partial; nil for no limit.
    var quotaBytes: UInt64?
    /// What stays free on the disk.
    var reservedFreeBytes: UInt64

    /// What there is, and what will come.
    struct Demand: Equatable {
        /// The new model's length.
        var size: UInt64
        /// What of it is on the disk from an earlier try.
        var kept: UInt64
        /// The other files of the store, with what is still to come of those that are being written.
        var others: UInt64
        /// What is still to come of those.
        var othersToCome: UInt64
        /// Of the disk.
        var free: UInt64
    }

    /// How many bytes are too many: 0 when the model fits.
    func shortage(_ demand: Demand) -> UInt64 {
        max(quotaShortage(demand), diskShortage(demand))
    }

    private func quotaShortage(_ demand: Demand) -> UInt64 {
        guard let quotaBytes else { return 0 }
        return Self.excess(Self.sum(demand.size, demand.others), over: quotaBytes)
    }

    private func diskShortage(_ demand: Demand) -> UInt64 {
        let toCome = Self.sum(Self.excess(demand.size, over: demand.kept), demand.othersToCome)
        return Self.excess(Self.sum(toCome, reservedFreeBytes), over: demand.free)
    }

    /// One line: how much is needed and what there is.
    func explanation(_ name: String, _ demand: Demand) -> String {
        let model = "The model \(name.prefix(100)) needs \(demand.size) bytes"
        if let quotaBytes, quotaShortage(demand) > 0 {
            return """
                \(model), but of the \(quotaBytes) bytes that the store may hold \
                \(Self.excess(quotaBytes, over: demand.others)) are left: delete a model or raise the quota
                """
        }
        return """
            \(model), but the disk has \(demand.free) bytes free, of which \(reservedFreeBytes) must stay free: free some space
            """
    }

    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    private static func excess(_ value: UInt64, over limit: UInt64) -> UInt64 { value > limit ? value - limit : 0 }
}

/// Makes room for a download, or says why there is none. Under the store's lock.
struct StoreEviction {
    let quota: StoreQuota
    let layout: StoreLayout
    let collection: StoreGarbageCollector

    private var content: ContentStore { layout.content }

    /// Deletes garbage, and then previous versions that nobody uses, if that is what it takes.
    ///
    /// - Parameter claimed: the bytes of the unfinished download that is to be resumed; nil for a private file.
    /// - Throws: `.noSpace` when it does not fit all the same.
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
    private func evictPreviousVersions(
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

    /// Nobody uses it, and the versions that came after it are whole.
    private func isEvictable(_ previous: SHA256Digest, of holders: [ModelPointer]) throws(FileError) -> Bool {
        guard !FileLease.isInUse(content.path(of: previous)) else { return false }
        for holder in holders {
            guard let current = holder.current, try layout.wholeFile(current) != nil else { return false }
        }
        return true
    }
}
