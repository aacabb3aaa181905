import HearthCrypto
import HearthFiles

/// How many bytes the store may have and must leave free. Pure.
struct StoreQuota: Sendable {
    /// The most bytes of models, whole or partial; nil for no limit.
    var quotaBytes: UInt64?
    /// How many bytes stay free on the disk.
    var reservedFreeBytes: UInt64

    /// The bytes that are in the store and those that will arrive.
    struct Demand: Equatable {
        /// The new model's length in bytes.
        var size: UInt64
        /// How many of these bytes are on the disk from an earlier attempt.
        var kept: UInt64
        /// The bytes of the store's other files, with those still to arrive for files that are being written.
        var others: UInt64
        /// How many bytes are still to arrive for those files.
        var othersToCome: UInt64
        /// The free bytes of the disk.
        var free: UInt64
    }

    /// How many bytes must be deleted before the model fits; 0 when it fits.
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

    /// One line: how many bytes the model needs and how many are left.
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

    /// The sum, or the largest number if it is too large.
    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    private static func excess(_ value: UInt64, over limit: UInt64) -> UInt64 { value > limit ? value - limit : 0 }
}

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
