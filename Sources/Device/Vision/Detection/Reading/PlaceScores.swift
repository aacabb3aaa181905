/// The best class of each place and its score. Free of side effects.
///
/// A score that is not a number is never the best. Of equal scores the first class counts.
struct PlaceScores {
    /// By place. `-infinity` where no score is a number.
    private(set) var scores: [Float]
    /// By place.
    private(set) var classes: [Int32]

    /// - Parameters:
    ///   - numbers: The output with the scores.
    ///   - columns: One for each class.
    ///   - firstClass: Earlier classes do not count.
    init(_ numbers: [Float], _ columns: OutputColumns, classCount: Int, firstClass: Int) {
        let placeCount = columns.placeCount(of: numbers.count)
        scores = Array(repeating: -.infinity, count: placeCount)
        classes = Array(repeating: 0, count: placeCount)
        let strides = columns.strides(numberCount: numbers.count)
        guard placeCount > 0, firstClass < classCount else { return }
        numbers.withUnsafeBufferPointer { numbers in
            scores.withUnsafeMutableBufferPointer { scores in
                classes.withUnsafeMutableBufferPointer { classes in
                    for index in firstClass..<classCount {
                        let column = (columns.first + index) * strides.column
                        // Both are stored each time, so that the compiler can work on several places at once.
                        for place in 0..<placeCount {
                            let score = numbers[column &+ place &* strides.place]
                            let isBetter = score > scores[place]
                            scores[place] = isBetter ? score : scores[place]
                            classes[place] = isBetter ? Int32(truncatingIfNeeded: index) : classes[place]
                        }
                    }
                }
            }
        }
    }
}
