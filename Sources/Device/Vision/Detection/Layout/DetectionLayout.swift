import HearthModelFile

/// Where the numbers of a detection model's boxes are, and how to read them.
struct DetectionLayout: Sendable, Hashable {
    /// Who selects boxes among the many that a network proposes.
    enum Form: Sendable, Hashable {
        /// The model selects: each box has a class and a score. `count` is the output that says how many boxes count.
        case selected(boxes: OutputColumns, classes: OutputColumns, scores: OutputColumns, count: Int?)
        /// The reader selects: each place has a box, a score for each class and, in some models, a score for any object.
        case scored(boxes: OutputColumns, objectness: OutputColumns?, scores: OutputColumns, classCount: Int)
        /// The output with a score for each class in each cell of a grid.
        case grid(output: Int, columnCount: Int, rowCount: Int, classCount: Int)
    }

    var name: BoxLayout
    var form: Form
    var decoding: BoxDecoding = .coordinates(.detectionPostProcess)
    /// Whether the values of a run tell in which unit its boxes are.
    var unit = BoxUnit.stated
    /// Whether the classes and scores may be in each other's place, which their values tell.
    var mayBeSwapped = false
    /// Whether the file does not state the layout, so that the numbers of each run have to confirm it.
    var isGuess = false
    /// What the model calls its first class.
    var firstClass = FirstClass.zero
    /// Whether scores are 1 / (1 + exp(-number)).
    var hasLogits = false
    var suppression = NonMaximumSuppression()
    /// The threshold that is usual for such models.
    var usualThreshold: Float?

    /// What the model calls its first class.
    enum FirstClass: Sendable, Hashable {
        case zero
        /// 1, because 0 is the background.
        case one
    }

    /// The output with the scores.
    var scoreOutput: Int {
        switch form {
        case .selected(_, _, let scores, _), .scored(_, _, let scores, _): scores.output
        case .grid(let output, _, _, _): output
        }
    }

    /// All outputs that are read.
    var outputs: [Int] {
        let all =
            switch form {
            case .selected(let boxes, let classes, let scores, let count):
                [boxes.output, classes.output, scores.output] + (count.map { [$0] } ?? [])
            case .scored(let boxes, let objectness, let scores, _):
                [boxes.output, scores.output] + (objectness.map { [$0.output] } ?? [])
            case .grid(let output, _, _, _): [output]
            }
        return Array(Set(all)).sorted()
    }

    /// How many classes the model scores, where the layout says so.
    var classCount: Int? {
        switch form {
        case .selected: nil
        case .scored(_, _, _, let classCount), .grid(_, _, _, let classCount): classCount
        }
    }
}

/// Some neighbouring columns of an output that is a table with a row for each place, such as the columns of the boxes.
struct OutputColumns: Sendable, Hashable {
    /// The output's index in the model.
    var output: Int
    /// The first of the columns.
    var first = 0
    /// How many columns the table has.
    var tableWidth = 1
    /// Whether the table is stored column by column.
    var isTransposed = false

    /// How many places a table with so many numbers has.
    func placeCount(of numberCount: Int) -> Int { numberCount / tableWidth }

    /// The distance from a place to the next, and from a column to the next.
    func strides(numberCount: Int) -> (place: Int, column: Int) {
        isTransposed ? (1, placeCount(of: numberCount)) : (tableWidth, 1)
    }
}

/// In which unit a model's boxes are.
enum BoxUnit: Sendable, Hashable {
    /// As the decoding says.
    case stated
    /// In shares of the input's sides, or in pixels, of which some are above 2.
    case sharesOrPixels(BoxCoordinates)
    /// Offsets from a grid, or centres and sizes in pixels, of which some are large.
    case offsetsOrPixels

    /// Whether a position is too far away for shares. The size of a centred box is not compared, because a place without
    /// an object may have any.
    static func isInPixels(_ numbers: SIMD4<Float>, _ form: BoxCoordinates.Form) -> Bool {
        (0..<(form == .boundaries ? 4 : 2)).contains { numbers[$0].isFinite && numbers[$0] > 2 }
    }

    /// Whether the centre is too far from a cell for an offset.
    static func isDecoded(_ numbers: SIMD4<Float>) -> Bool { numbers[0].isFinite && numbers[0] > 16 }
}

/// How a box is computed from a model's four numbers.
enum BoxDecoding: Sendable, Hashable {
    case coordinates(BoxCoordinates)
    /// From offsets to anchors, one for each place.
    case anchored(Anchors)
}
