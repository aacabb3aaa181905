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
            \(model), but the disk has \(demand.free) bytes free, of which \(reservedFreeBytes) must stay free: make room
            """
    }

    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let (sum, overflow) = left.addingReportingOverflow(right)
        return overflow ? .max : sum
    }

    private static func excess(_ value: UInt64, over limit: UInt64) -> UInt64 { value > limit ? value - limit : 0 }
}
