import HearthTestSupport
import Testing

@testable import HearthVision

@Suite("Non-maximum suppression")
struct NonMaximumSuppressionTests {
    /// Of width 1, so that two of them `shift` apart overlap by (1 - shift) / (1 + shift).
    private func boxes(_ items: [(left: Float, score: Float, classIndex: Int)]) -> [ScoredBox] {
        items.map { item in
            ScoredBox(
                box: Box(left: item.left, top: 0, right: item.left + 1, bottom: 1), classIndex: item.classIndex,
                score: item.score)
        }
    }

    @Test("of a heap the highest score stays, and the order is by score")
    func heap() {
        let found = boxes([(0, 0.5, 0), (5, 0.6, 0), (0.1, 0.9, 0), (0.2, 0.7, 0), (5.1, 0.4, 0)])
        #expect(NonMaximumSuppression().keptIndices(of: found) == [2, 1])
    }

    @Test("a box that was itself suppressed suppresses nothing")
    func chain() {
        let found = boxes([(0, 0.9, 0), (0.3, 0.8, 0), (0.6, 0.7, 0)])
        #expect(NonMaximumSuppression().keptIndices(of: found) == [0, 2])
    }

    @Test("an overlap that equals the threshold stays; more does not")
    func threshold() {
        // They share 1 of 2.
        let found = [
            ScoredBox(box: Box(left: 0, top: 0, right: 2, bottom: 1), classIndex: 0, score: 0.9),
            ScoredBox(box: Box(left: 1, top: 0, right: 2, bottom: 1), classIndex: 0, score: 0.8),
        ]
        #expect(NonMaximumSuppression(overlapThreshold: 0.5).keptIndices(of: found) == [0, 1])
        #expect(NonMaximumSuppression(overlapThreshold: 0.499).keptIndices(of: found) == [0])
    }

    @Test("classes leave each other alone, unless told otherwise")
    func classes() {
        let found = boxes([(0, 0.9, 1), (0, 0.8, 2), (0, 0.7, 1)])
        #expect(NonMaximumSuppression().keptIndices(of: found) == [0, 1])
        #expect(NonMaximumSuppression(isPerClass: false).keptIndices(of: found) == [0])
    }

    @Test("of equal scores the lower position stays")
    func ties() {
        #expect(NonMaximumSuppression().keptIndices(of: boxes([(0.1, 0.5, 0), (0, 0.5, 0), (3, 0.5, 0)])) == [0, 2])
    }

    @Test("at most so many", arguments: [(nil, 4), (2, 2), (0, 0), (-1, 0), (Int.max, 4)] as [(Int?, Int)])
    func maxCount(value: Int?, count: Int) {
        let found = boxes([(0, 0.5, 0), (2, 0.6, 0), (4, 0.7, 0), (6, 0.8, 0)])
        let kept = NonMaximumSuppression(maxCount: value).keptIndices(of: found)
        #expect(kept == Array([3, 2, 1, 0].prefix(count)))
    }

    @Test("what is not a number is dropped, and suppresses nothing")
    func specialNumbers() {
        var found = boxes([(0, .nan, 0), (0, 0.5, 0), (0, 0.6, 0), (9, .infinity, 0), (8, -.infinity, 0)])
        found[2].box.right = .nan
        #expect(NonMaximumSuppression().keptIndices(of: found) == [3, 1, 4])
        #expect(NonMaximumSuppression().keptIndices(of: []) == [])
    }

    @Test("agrees with the plain rule on random boxes", arguments: 0..<200)
    func random(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let found = (0..<Int.random(in: 0...60, using: &generator)).map { _ in randomBox(&generator) }
        let suppression = NonMaximumSuppression(
            overlapThreshold: Double.random(in: 0...1, using: &generator),
            isPerClass: .random(using: &generator), maxCount: [nil, 0, 3, 100].randomElement(using: &generator) ?? nil)
        #expect(suppression.keptIndices(of: found) == plainRule(suppression, found))
    }

    @Test("ten thousand boxes on one place")
    func many() {
        let found = boxes((0..<10_000).map { (Float($0 % 7) / 100, Float($0), 0) })
        #expect(NonMaximumSuppression().keptIndices(of: found) == [9_999])
    }

    /// On a coarse grid, so that ties and touching edges occur; some inverted, some not numbers.
    private func randomBox(_ generator: inout SeededGenerator) -> ScoredBox {
        func side() -> Float {
            Int.random(in: 0..<50, using: &generator) == 0 ? .nan : Float(Int.random(in: 0...8, using: &generator))
        }
        return ScoredBox(
            box: Box(left: side(), top: side(), right: side() + 3, bottom: side() + 3),
            classIndex: Int.random(in: 0...2, using: &generator),
            score: Int.random(in: 0..<50, using: &generator) == 0
                ? .nan : Float(Int.random(in: 0...10, using: &generator)) / 10)
    }

    /// Takes the best of what is left and strikes out what it suppresses, again and again.
    private func plainRule(_ rule: NonMaximumSuppression, _ boxes: [ScoredBox]) -> [Int] {
        var left = boxes.indices.filter { !boxes[$0].score.isNaN && !boxes[$0].box.hasNaN }
        var kept: [Int] = []
        while kept.count < rule.maxCount ?? .max {
            var best: Int?
            for index in left where best.map({ boxes[index].score > boxes[$0].score }) ?? true { best = index }
            guard let best else { break }
            kept.append(best)
            left.removeAll { index in
                index == best
                    || (!rule.isPerClass || boxes[index].classIndex == boxes[best].classIndex)
                        && boxes[index].box.intersectionOverUnion(with: boxes[best].box) > rule.overlapThreshold
            }
        }
        return kept
    }
}
