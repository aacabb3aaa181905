/// Finds the name that a mistyped name probably means.
enum Suggestion {
    /// The candidate with the smallest edit distance, the first of equals; `nil` if none is near.
    static func nearest(to word: String, among candidates: [String]) -> String? {
        // A longer name is not a typing mistake, and the time for the distance grows with the product of the lengths.
        guard word.count <= 64 else { return nil }
        let ranked = candidates.map { (name: $0, distance: distance(word, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        let letters = min(word.count, best.name.count)
        return best.distance <= max(1, letters / 3) ? best.name : nil
    }

    /// The number of edits (insert, delete, replace a letter, swap two neighbours) that turn one word into the other.
    static func distance(_ first: String, _ second: String) -> Int {
        let first = Array(first)
        let second = Array(second)
        var beforePrevious: [Int] = []
        var previous = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let replacing = previous[column] + (first[row] == second[column] ? 0 : 1)
                var best = min(replacing, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[second.count]
    }
}
