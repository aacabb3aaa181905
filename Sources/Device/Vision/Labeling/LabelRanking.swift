/// Selects the scores that become labels. Free of side effects.
struct LabelRanking: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var index: Int
        var score: Float

        /// Higher scores come first, and of equal scores the lower index.
        func isBefore(_ other: Entry) -> Bool {
            score == other.score ? index < other.index : score > other.score
        }
    }

    /// Scores below the threshold are dropped; an equal score stays.
    var threshold: Float
    var maxCount: Int

    static let defaultMaxCount = 10

    /// The entries with the highest scores, in order; of equal scores the lower index first. A score that is not a
    /// number is dropped.
    ///
    /// Calls `score` once for each of the `count` scores, from index 0 up, and sorts only those that it returns.
    func entries(count: Int, score: (Int) -> Float) -> [Entry] {
        guard maxCount > 0 else { return [] }
        var best = BestEntries(limit: maxCount)
        for index in 0..<count {
            let score = score(index)
            if score >= threshold { best.offer(Entry(index: index, score: score)) }
        }
        return best.sorted()
    }
}

/// The best of all offered entries. A heap with the worst of them on top, because a new entry must be better than that
/// one.
private struct BestEntries {
    let limit: Int
    private var heap: [LabelRanking.Entry] = []

    init(limit: Int) {
        self.limit = limit
    }

    func sorted() -> [LabelRanking.Entry] {
        heap.sorted { $0.isBefore($1) }
    }

    mutating func offer(_ entry: LabelRanking.Entry) {
        if heap.count < limit {
            heap.append(entry)
            rise(from: heap.count - 1)
        } else if entry.isBefore(heap[0]) {
            heap[0] = entry
            sink()
        }
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[parent].isBefore(heap[place]) else { return }
            heap.swapAt(parent, place)
            place = parent
        }
    }

    private mutating func sink() {
        var place = 0
        while true {
            var worst = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[worst].isBefore(heap[child]) {
                worst = child
            }
            if worst == place { return }
            heap.swapAt(place, worst)
            place = worst
        }
    }
}
