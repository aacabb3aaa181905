/// Keeps one box where a model found the same object with several overlapping boxes. Free of side effects.
///
/// The rule is the greedy one of `TFLite_Detection_PostProcess` and `tf.image.non_max_suppression`: from the highest
/// score down, a box is kept unless its intersection over union with a box kept before is *above* the threshold.
struct NonMaximumSuppression: Sendable, Hashable {
    /// 0...1. An overlap equal to the threshold does not suppress.
    var overlapThreshold = 0.5

    /// Whether a box suppresses only boxes of its own class.
    var isPerClass = true

    /// Whether a kept box becomes the mean of itself and those that it suppresses, weighted by their scores, as in
    /// MediaPipe's detectors of faces.
    var isWeighted = false

    /// The most boxes to keep, those with the highest scores; nil for all.
    var maxCount: Int?

    /// The kept boxes, highest score first.
    func kept(_ boxes: [ScoredBox]) -> [ScoredBox] {
        isWeighted ? weighted(boxes) : keptIndices(of: boxes).map { boxes[$0] }
    }

    /// Each step takes the best of the remaining boxes, and removes all that overlap it.
    private func weighted(_ boxes: [ScoredBox]) -> [ScoredBox] {
        var remaining = Self.byScore(boxes).map { boxes[$0] }
        var kept: [ScoredBox] = []
        while let best = remaining.first, kept.count < maxCount ?? .max {
            var group = [best]
            var rest: [ScoredBox] = []
            for box in remaining.dropFirst() {
                let isRelated = !isPerClass || box.classIndex == best.classIndex
                if isRelated, suppresses(best.box, box.box) { group.append(box) } else { rest.append(box) }
            }
            remaining = rest
            kept.append(ScoredBox(box: Self.mean(group), classIndex: best.classIndex, score: best.score))
        }
        return kept
    }

    private static func mean(_ boxes: [ScoredBox]) -> Box {
        let sum = boxes.reduce(0) { $0 + $1.score }
        guard sum > 0, sum.isFinite, boxes.count > 1 else { return boxes[0].box }
        func mean(_ side: KeyPath<Box, Float>) -> Float {
            boxes.reduce(0) { $0 + $1.box[keyPath: side] * $1.score } / sum
        }
        return Box(left: mean(\.left), top: mean(\.top), right: mean(\.right), bottom: mean(\.bottom))
    }

    /// The indices of the kept boxes, highest score first; of equal scores the lower index first. Boxes whose score or
    /// sides are not numbers are dropped. For n boxes of which k are kept, this takes at most n log n + n k steps.
    func keptIndices(of boxes: [ScoredBox]) -> [Int] {
        let limit = max(0, maxCount ?? boxes.count)
        var kept: [Int] = []
        var keptByClass: [Int: [Box]] = [:]
        for index in Self.byScore(boxes) {
            if kept.count >= limit { break }
            let box = boxes[index].box
            let key = isPerClass ? boxes[index].classIndex : 0
            if keptByClass[key]?.contains(where: { suppresses($0, box) }) == true { continue }
            kept.append(index)
            keptByClass[key, default: []].append(box)
        }
        return kept
    }

    private func suppresses(_ kept: Box, _ box: Box) -> Bool {
        kept.intersectionOverUnion(with: box) > overlapThreshold
    }

    private static func byScore(_ boxes: [ScoredBox]) -> [Int] {
        boxes.indices.filter { !boxes[$0].score.isNaN && !boxes[$0].box.hasNaN }.sorted { left, right in
            let (first, second) = (boxes[left].score, boxes[right].score)
            return first == second ? left < right : first > second
        }
    }
}
