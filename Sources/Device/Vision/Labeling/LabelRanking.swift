/// Which scores become labels. Pure.
struct LabelRanking: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        var index: Int
        var score: Float
    }

    /// Scores below it are dropped; one that equals it stays.
    var threshold: Float
    var maxCount: Int

    static let defaultMaxCount = 10

    /// Highest first; of equal scores the lower index. A score that is not a number is dropped.
    func entries(_ scores: [Float]) -> [Entry] {
        let kept = scores.enumerated().compactMap { index, score in
            score >= threshold ? Entry(index: index, score: score) : nil
        }
        let sorted = kept.sorted { $0.score == $1.score ? $0.index < $1.index : $0.score > $1.score }
        return Array(sorted.prefix(maxCount))
    }
}
