/// What each output of a detection model holds, by index, and how the model writes its boxes.
struct DetectionLayout: Sendable, Hashable {
    /// Who selects boxes among the many that a network proposes.
    enum Form: Sendable, Hashable {
        /// The model selects. It returns a class and a score for each box, both `[1, N]`, and maybe how many of the N
        /// count.
        case postprocessed(classes: Int, scores: Int, count: Int?)
        /// The reader of the outputs selects. The model returns a score for each class at each place, `[1, N,
        /// classCount]`.
        case raw(scores: Int, classCount: Int)
    }

    /// The output with the boxes, `[1, N, 4]`.
    var boxes: Int
    var choice: Form
    /// N.
    var boxCount: Int
    var coordinates: BoxCoordinates

    /// The output with the scores.
    var scores: Int {
        switch choice {
        case .postprocessed(_, let scores, _), .raw(let scores, _): scores
        }
    }

    /// All outputs that the reader reads.
    var outputs: [Int] {
        switch choice {
        case .postprocessed(let classes, let scores, let count): [boxes, classes, scores] + (count.map { [$0] } ?? [])
        case .raw(let scores, _): [boxes, scores]
        }
    }
}
