/// The boxes that a model selected, one in each row, with class and score.
struct SelectedRows {
    /// How many rows count.
    let count: Int
    private let boxes: TableView
    private let classes: TableView
    private let scores: TableView

    /// - Parameter count: The output that says how many rows count. One that is not a number means 0.
    init(_ numbers: OutputNumbers, boxes: OutputColumns, classes: OutputColumns, scores: OutputColumns, count: Int?) {
        self.boxes = TableView(numbers, boxes)
        self.classes = TableView(numbers, classes)
        self.scores = TableView(numbers, scores)
        let available = min(self.boxes.placeCount, self.classes.placeCount, self.scores.placeCount)
        self.count = min(available, Self.count(count.flatMap { numbers[$0].first }, of: available))
    }

    func score(_ row: Int) -> Float { scores[row, 0] }

    func `class`(_ row: Int) -> Float { classes[row, 0] }

    func box(_ row: Int) -> SIMD4<Float> { boxes.four(row) }

    func boxes(_ rows: Range<Int>) -> some Sequence<SIMD4<Float>> { rows.lazy.map { boxes.four($0) } }

    private static func count(_ count: Float?, of total: Int) -> Int {
        guard let count else { return total }
        guard count >= 0 else { return 0 }
        return count >= Float(total) ? total : Int(count)
    }
}

/// Places with a box and a score for each class, of which the best counts.
struct ScoredPlaces {
    /// By place: the score of the best class, times that of any object.
    let scores: [Float]
    private let boxes: TableView
    private let objectness: TableView?
    private let best: PlaceScores

    var count: Int { scores.count }

    init(
        _ numbers: OutputNumbers, boxes: OutputColumns, objectness: OutputColumns?, scores: OutputColumns,
        classCount: Int, firstClass: Int, hasLogits: Bool
    ) {
        let boxes = TableView(numbers, boxes)
        let objectness = objectness.map { TableView(numbers, $0) }
        let best = PlaceScores(numbers[scores.output], scores, classCount: classCount, firstClass: firstClass)
        (self.boxes, self.objectness, self.best) = (boxes, objectness, best)
        self.scores = (0..<min(boxes.placeCount, best.scores.count)).map { place in
            let score = best.scores[place]
            if hasLogits { return Probability.sigmoid(score) }
            return objectness.map { $0[place, 0] * score } ?? score
        }
    }

    /// The score of the best class alone.
    func classScore(_ place: Int) -> Float { best.scores[place] }

    /// The score of any object; nil where the layout has none.
    func objectness(_ place: Int) -> Float? { objectness.map { $0[place, 0] } }

    func `class`(_ place: Int) -> Int { Int(best.classes[place]) }

    func box(_ place: Int) -> SIMD4<Float> { boxes.four(place) }

    var allBoxes: some Sequence<SIMD4<Float>> { (0..<count).lazy.map { boxes.four($0) } }

    /// Of the scores of all places.
    var range: ScoreRange { ScoreRange(scores) }
}

/// Some columns of an output that is a table.
struct TableView {
    let placeCount: Int
    private let numbers: [Float]
    private let offset: Int
    private let strides: (place: Int, column: Int)

    init(_ numbers: OutputNumbers, _ columns: OutputColumns) {
        self.numbers = numbers[columns.output]
        placeCount = columns.placeCount(of: self.numbers.count)
        strides = columns.strides(numberCount: self.numbers.count)
        offset = columns.first * strides.column
    }

    subscript(place: Int, column: Int) -> Float {
        numbers[offset &+ place &* strides.place &+ column &* strides.column]
    }

    /// The first four columns of a place.
    func four(_ place: Int) -> SIMD4<Float> {
        SIMD4(self[place, 0], self[place, 1], self[place, 2], self[place, 3])
    }
}
