/// Sums up measurements that come too often to be reported one by one. Pure.
struct MeanValues: Sendable {
    struct Key: Hashable, Sendable {
        let event: String
        let model: String
    }

    /// What more models measure is left out.
    static let limit = 200

    private var sums: [Key: (sum: Double, count: Int)] = [:]

    var isEmpty: Bool { sums.isEmpty }

    mutating func add(_ value: Double, to key: Key) {
        guard abs(value) <= EventValue.largest, sums[key] != nil || sums.count < Self.limit else { return }
        let (sum, count) = sums[key] ?? (0, 0)
        sums[key] = (sum + value, count + 1)
    }

    /// The mean of each, in an order that is always the same; begins anew.
    mutating func take() -> [(key: Key, mean: Double)] {
        defer { sums = [:] }
        return sums.sorted { ($0.key.event, $0.key.model) < ($1.key.event, $1.key.model) }
            .map { ($0.key, $0.value.sum / Double($0.value.count)) }
    }
}
