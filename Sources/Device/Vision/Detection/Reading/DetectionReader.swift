import Foundation
import HearthModelFile
import TensorFlowLite

/// Turns the numbers of a detection model's outputs into boxes. Free of side effects. It trusts no number: values that
/// are not finite, impossible classes and too large counts lead to fewer boxes, never to a crash.
struct DetectionReader: Sendable {
    var layout: DetectionLayout
    /// Boxes whose score is not above the threshold are dropped.
    var threshold: Float
    /// The most boxes to return; nil for all.
    var maxCount: Int?
    /// Whether class 0 means background, for layouts where the reader selects.
    var hasBackgroundClass = false
    /// The calibration of the model's metadata, applied to the scores before the threshold.
    var calibration: ScoreCalibration?
    /// The row of class 0 in the calibration, which has the same rows as the label file.
    var labelOffset = 0

    /// The largest class index to accept; no model has so many classes.
    static let maxClassIndex: Float = 1_000_000
    /// The reader selects among this many boxes with the highest scores.
    static let maxCandidateCount = 1000

    /// The boxes of a run, and the range of the scores among which they were selected.
    struct Result: Sendable {
        /// In the model's order, or highest score first where the reader selects.
        var boxes: [ScoredBox] = []
        var range = ScoreRange()
    }

    /// - Parameter inputSize: Of the model's input in this run, in pixels.
    /// - Throws: When the numbers contradict a layout that the file does not state.
    func result(_ numbers: OutputNumbers, inputSize: (width: Int, height: Int)) throws -> Result {
        switch layout.form {
        case .selected(let boxes, let classes, let scores, let count):
            let (classes, scores) = swapped(numbers, classes, scores)
            let rows = SelectedRows(numbers, boxes: boxes, classes: classes, scores: scores, count: count)
            if layout.isGuess {
                try LayoutCheck(layout).check(rows, classStep: numbers.step(of: classes.output), inputSize)
            }
            return selected(rows, inputSize)
        case .scored(let boxes, let objectness, let scores, let classCount):
            let firstClass = hasBackgroundClass ? 1 : 0
            let places = ScoredPlaces(
                numbers, boxes: boxes, objectness: objectness, scores: scores, classCount: classCount,
                firstClass: firstClass, hasLogits: layout.hasLogits)
            if layout.isGuess { try LayoutCheck(layout).check(places, inputSize) }
            return calibration == nil
                ? scored(places, inputSize)
                : calibrated(numbers[scores.output], scores, classCount, firstClass, places, inputSize)
        case .grid(let output, let columnCount, let rowCount, let classCount):
            let grid = ScoreGrid(
                scores: numbers[output], columnCount: columnCount, rowCount: rowCount, classCount: classCount)
            if layout.isGuess { try LayoutCheck(layout).check(grid) }
            return Result(
                boxes: Array(grid.boxes(threshold: threshold).prefix(maxCount ?? .max)), range: ScoreRange(grid.scores))
        }
    }

    // MARK: Boxes that the model selected

    /// Classes are whole numbers, and scores hardly ever are.
    private func swapped(
        _ numbers: OutputNumbers, _ classes: OutputColumns, _ scores: OutputColumns
    ) -> (OutputColumns, OutputColumns) {
        let isWhole = { (output: Int) in numbers[output].allSatisfy { $0 == $0.rounded() } }
        guard layout.mayBeSwapped, !isWhole(classes.output), isWhole(scores.output) else { return (classes, scores) }
        return (scores, classes)
    }

    private func selected(_ rows: SelectedRows, _ inputSize: (width: Int, height: Int)) -> Result {
        var result = Result()
        let decoding = decoding(rows.boxes(0..<rows.count), inputSize)
        let limit = maxCount ?? .max
        var seen: Set<ScoredBox> = []
        for index in 0..<rows.count {
            if calibration == nil { result.range.include(rows.score(index)) }
            guard result.boxes.count < limit, let classIndex = classIndex(rows.class(index)) else { continue }
            let score = calibratedScore(rows.score(index), classIndex)
            guard score > threshold, let box = decoding.box(rows.box(index), place: index) else { continue }
            // Some exports repeat a box where they found too few.
            let found = ScoredBox(box: box, classIndex: classIndex, score: score)
            if seen.insert(found).inserted { result.boxes.append(found) }
        }
        // The calibration computes only the scores of the boxes.
        if calibration != nil { result.range = ScoreRange(result.boxes.lazy.map(\.score)) }
        return result
    }

    private func calibratedScore(_ uncalibrated: Float, _ classIndex: Int) -> Float {
        calibration?.score(uncalibrated, classIndex: classIndex &+ labelOffset) ?? uncalibrated
    }

    /// From 0, also where the model counts from 1.
    private func classIndex(_ number: Float) -> Int? {
        let rounded = number.rounded() - (layout.firstClass == .one ? 1 : 0)
        return rounded >= 0 && rounded <= Self.maxClassIndex ? Int(rounded) : nil
    }

    // MARK: Boxes that the reader selects

    /// Takes the best class of each place, like the operator `TFLite_Detection_PostProcess` by default.
    private func scored(_ places: ScoredPlaces, _ inputSize: (width: Int, height: Int)) -> Result {
        let decoding = decoding(places.allBoxes, inputSize)
        var candidates: [ScoredBox] = []
        for (place, score) in places.scores.enumerated() {
            guard score > threshold, let box = decoding.box(places.box(place), place: place) else { continue }
            candidates.append(ScoredBox(box: box, classIndex: places.class(place), score: score))
        }
        return Result(boxes: kept(candidates), range: places.range)
    }

    /// Compares the calibrated scores of all classes of each place, because each class has a calibration of its own.
    private func calibrated(
        _ numbers: [Float], _ columns: OutputColumns, _ classCount: Int, _ firstClass: Int, _ places: ScoredPlaces,
        _ inputSize: (width: Int, height: Int)
    ) -> Result {
        let strides = columns.strides(numberCount: numbers.count)
        let decoding = decoding(places.allBoxes, inputSize)
        var candidates: [ScoredBox] = []
        for place in 0..<places.count {
            var best: (classIndex: Int, score: Float)?
            for classIndex in firstClass..<max(classCount, firstClass) {
                let number = numbers[place * strides.place + (columns.first + classIndex) * strides.column]
                let score = calibratedScore(number, classIndex)
                if score > best?.score ?? threshold { best = (classIndex, score) }
            }
            if let best, let box = decoding.box(places.box(place), place: place) {
                candidates.append(ScoredBox(box: box, classIndex: best.classIndex, score: best.score))
            }
        }
        let boxes = kept(candidates)
        return Result(boxes: boxes, range: ScoreRange(boxes.lazy.map(\.score)))
    }

    private func kept(_ candidates: [ScoredBox]) -> [ScoredBox] {
        var candidates = candidates
        if candidates.count > Self.maxCandidateCount {
            candidates.sort { $0.score > $1.score }
            candidates.removeSubrange(Self.maxCandidateCount...)
        }
        return Array(layout.suppression.kept(candidates).prefix(maxCount ?? .max))
    }

    // MARK: Units

    /// The decoding for this run, where the values tell in which unit the boxes are.
    private func decoding(
        _ boxes: some Sequence<SIMD4<Float>>, _ inputSize: (width: Int, height: Int)
    ) -> BoxDecoding {
        switch layout.unit {
        case .stated: layout.decoding
        case .sharesOrPixels(let coordinates):
            .coordinates(
                boxes.contains { BoxUnit.isInPixels($0, coordinates.form) }
                    ? coordinates.inPixels(of: inputSize) : coordinates)
        case .offsetsOrPixels:
            boxes.contains(where: BoxUnit.isDecoded)
                ? .coordinates(BoxCoordinates.center.inPixels(of: inputSize)) : layout.decoding
        }
    }
}

extension BoxDecoding {
    /// The box of a place; nil when one of its sides is not a finite number.
    func box(_ numbers: SIMD4<Float>, place: Int) -> Box? {
        switch self {
        case .coordinates(let coordinates): coordinates.box(numbers)
        case .anchored(let anchors): anchors.box(numbers, place: place)
        }
    }
}
