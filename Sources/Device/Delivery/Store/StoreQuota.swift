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
