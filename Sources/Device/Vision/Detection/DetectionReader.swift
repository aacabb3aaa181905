import HearthModelFile
import TensorFlowLite

/// Turns the numbers of a detection model's outputs into boxes. Free of side effects. It trusts no number: values that
/// are not finite, impossible classes and too large counts lead to fewer boxes, never to a crash.
struct DetectionReader: Sendable {
    /// The outputs as real numbers, in row-major order.
    struct Numbers {
        var boxes: [Float]
        /// Empty where the reader selects the boxes.
        var classes: [Float] = []
        var scores: [Float]
        var count: Float?
    }

    var layout: DetectionLayout
    /// Boxes whose score is not above the threshold are dropped.
    var threshold: Float
    /// The most boxes to return; nil for all.
    var maxCount: Int?
    /// How the reader selects boxes, for layouts where it does.
    var suppression = NonMaximumSuppression()
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

    /// The boxes in the model's order, or highest score first where the reader selects.
    func boxes(_ numbers: Numbers) -> [ScoredBox] {
        switch layout.choice {
        case .postprocessed: postprocessedBoxes(numbers)
        case .raw(_, let classCount): rawBoxes(numbers, classCount: classCount)
        }
    }

    /// The range of the scores from which the boxes were selected. With a calibration it is that of the boxes, because
    /// the calibration computes only theirs.
    func scoreRange(_ numbers: Numbers, of boxes: [ScoredBox]) -> ScoreRange {
        if calibration != nil { return ScoreRange(boxes.lazy.map(\.score)) }
        if case .raw = layout.choice { return ScoreRange(numbers.scores) }
        return ScoreRange(numbers.scores.prefix(Self.count(numbers.count, of: layout.boxCount)))
    }

    private func postprocessedBoxes(_ numbers: Numbers) -> [ScoredBox] {
        var boxes: [ScoredBox] = []
        let limit = maxCount ?? .max
        let available = min(numbers.boxes.count / 4, numbers.classes.count, numbers.scores.count)
        for index in 0..<min(available, Self.count(numbers.count, of: layout.boxCount)) where boxes.count < limit {
            guard let classIndex = Self.classIndex(numbers.classes[index]) else { continue }
            let score = score(numbers.scores[index], classIndex)
            guard score > threshold, let box = box(numbers.boxes, index) else { continue }
            boxes.append(ScoredBox(box: box, classIndex: classIndex, score: score))
        }
        return boxes
    }

    /// Takes the best class of each place, like the operator `TFLite_Detection_PostProcess` by default.
    private func rawBoxes(_ numbers: Numbers, classCount: Int) -> [ScoredBox] {
        var candidates: [ScoredBox] = []
        let firstClass = hasBackgroundClass ? 1 : 0
        let available = min(numbers.boxes.count / 4, numbers.scores.count / classCount)
        for place in 0..<available {
            let scores = numbers.scores[place * classCount..<(place + 1) * classCount]
            var best: (classIndex: Int, score: Float)?
            for (classIndex, uncalibrated) in zip(0..., scores).dropFirst(firstClass) {
                let score = score(uncalibrated, classIndex)
                if score > best?.score ?? threshold { best = (classIndex, score) }
            }
            if let best, let box = box(numbers.boxes, place) {
                candidates.append(ScoredBox(box: box, classIndex: best.classIndex, score: best.score))
            }
        }
        if candidates.count > Self.maxCandidateCount {
            candidates.sort { $0.score > $1.score }
            candidates.removeSubrange(Self.maxCandidateCount...)
        }
        let kept = suppression.keptIndices(of: candidates)
        return kept.prefix(maxCount ?? .max).map { candidates[$0] }
    }

    private func score(_ uncalibrated: Float, _ classIndex: Int) -> Float {
        calibration?.score(uncalibrated, classIndex: classIndex &+ labelOffset) ?? uncalibrated
    }

    private func box(_ numbers: [Float], _ index: Int) -> Box? {
        let first = index * 4
        return layout.coordinates.box(
            SIMD4(numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]))
    }

    /// How many of `total` boxes count. A count that is not a number means 0.
    private static func count(_ count: Float?, of total: Int) -> Int {
        guard let count else { return total }
        guard count >= 0 else { return 0 }
        return count >= Float(total) ? total : Int(count)
    }

    private static func classIndex(_ number: Float) -> Int? {
        let rounded = number.rounded()
        return rounded >= 0 && rounded <= maxClassIndex ? Int(rounded) : nil
    }
}

extension DetectionReader.Numbers {
    /// Reads what the outputs hold after a run.
    init(_ interpreter: Interpreter, _ layout: DetectionLayout) throws {
        boxes = try Self.numbers(interpreter, layout.boxes)
        scores = try Self.numbers(interpreter, layout.scores)
        if case .postprocessed(let classOutput, _, let countOutput) = layout.choice {
            classes = try Self.numbers(interpreter, classOutput)
            count = try countOutput.flatMap { try Self.numbers(interpreter, $0).first }
        }
    }

    private static func numbers(_ interpreter: Interpreter, _ output: Int) throws -> [Float] {
        let tensor = try interpreter.output(at: output)
        // Classes and counts may be plain integers.
        switch tensor.dataType {
        case .int32 where tensor.quantizationParameters == nil:
            return try tensor.values(as: Int32.self).map { Float($0) }
        case .int64: return try tensor.values(as: Int64.self).map { Float($0) }
        default: return try tensor.dequantizedValues()
        }
    }
}
