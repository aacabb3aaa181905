import HearthModelFile

/// Compares the numbers of a run with a layout that the model's file does not state. Free of side effects.
struct LayoutCheck {
    private let layout: DetectionLayout

    /// Room for quantization: scores of 0 and 1 are often stored a little below or above.
    private static let scores: ClosedRange<Float> = -0.02...1.02
    /// Centres and corners of boxes, in shares: objects at the edge reach beyond the image.
    private static let positions: ClosedRange<Float> = -1...2

    init(_ layout: DetectionLayout) {
        self.layout = layout
    }

    /// - Parameter classStep: The distance between two numbers that the output of the classes can hold; 0 for floats.
    func check(_ rows: SelectedRows, classStep: Float, _ size: (width: Int, height: Int)) throws {
        for row in 0..<rows.count where rows.score(row) != 0 && !rows.score(row).isNaN {
            let number = rows.class(row)
            guard Self.scores.contains(rows.score(row)) else {
                throw contradiction("a score is \(rows.score(row)), not between 0 and 1")
            }
            guard number.rounded() >= 0, abs(number - number.rounded()) <= classStep / 2 else {
                throw contradiction("a class is \(number), not a whole number")
            }
            try check(rows.box(row), size)
        }
    }

    /// A place without numbers has no object.
    func check(_ places: ScoredPlaces, _ size: (width: Int, height: Int)) throws {
        for place in 0..<places.count where places.classScore(place).isFinite {
            try check(score: places.classScore(place))
            if let objectness = places.objectness(place) { try check(score: objectness) }
            if places.scores[place] > 0.25 { try check(places.box(place), size) }
        }
    }

    func check(_ grid: ScoreGrid) throws {
        for sum in grid.sums where !(0.9...1.1).contains(sum) {
            throw contradiction("the scores of a cell add up to \(sum), not to 1")
        }
    }

    /// Without an array of the scores, which would take longer than all of the reading.
    private func check(score: Float) throws {
        guard score.isNaN || Self.scores.contains(score) else {
            throw contradiction("a score is \(score), not between 0 and 1")
        }
    }

    /// The first two numbers of a box are a corner or the centre, in shares or in pixels.
    private func check(_ numbers: SIMD4<Float>, _ size: (width: Int, height: Int)) throws {
        guard layout.unit != .offsetsOrPixels, numbers[0].isFinite, numbers[1].isFinite else { return }
        var (x, y) = (numbers[0], numbers[1])
        if case .sharesOrPixels(let coordinates) = layout.unit, BoxUnit.isInPixels(numbers, coordinates.form) {
            (x, y) = (x / Float(size.width), y / Float(size.height))
        }
        guard Self.positions.contains(x), Self.positions.contains(y) else {
            throw contradiction("a box begins at \(numbers[0]), \(numbers[1]), outside the image")
        }
    }

    private func contradiction(_ what: String) -> any Error {
        VisionError.make(
            .failedPrecondition,
            """
            The model's outputs have the shapes of a \(layout.name.title) (\(layout.name.rawValue)), but not its values: \
            \(what). If you know what they are, name the right layout.
            """)
    }
}
