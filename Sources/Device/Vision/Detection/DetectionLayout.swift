/// Which outputs of a detection model hold what, by index, and how its boxes are written.
struct DetectionLayout: Sendable, Hashable {
    /// Who chooses the boxes among the many that a network proposes.
    enum Choice: Sendable, Hashable {
        /// The model: a class and a score for each box, `[1, N]` both, and how many of the N count, where it says so.
        case byModel(classes: Int, scores: Int, count: Int?)
        /// Whoever reads the outputs: a score for each class at each place, `[1, N, classCount]`.
        case byReader(scores: Int, classCount: Int)
    }

    /// The output with the boxes, `[1, N, 4]`.
    var boxes: Int
    var choice: Choice
    /// N
    var boxCount: Int
    var coordinates: BoxCoordinates

    /// The output with the scores.
    var scores: Int {
        switch choice {
        case .byModel(_, let scores, _), .byReader(let scores, _): scores
        }
    }

    /// All outputs that are read.
    var outputs: [Int] {
        switch choice {
        case .byModel(let classes, let scores, let count): [boxes, classes, scores] + (count.map { [$0] } ?? [])
        case .byReader(let scores, _): [boxes, scores]
        }
    }
}
