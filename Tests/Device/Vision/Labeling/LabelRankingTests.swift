import HearthTestSupport
import Testing

@testable import HearthVision

@Suite("Which scores become labels")
struct LabelRankingTests {
    private func indexes(_ scores: [Float], threshold: Float = 0, maxCount: Int = 10) -> [Int] {
        entries(scores, threshold: threshold, maxCount: maxCount).map(\.index)
    }

    private func entries(_ scores: [Float], threshold: Float = 0, maxCount: Int = 10) -> [LabelRanking.Entry] {
        LabelRanking(threshold: threshold, maxCount: maxCount).entries(count: scores.count) { scores[$0] }
    }

    @Test("highest first, of equal ones the lower index")
    func order() {
        #expect(indexes([0.1, 0.5, 0.5, 0.9, 0.1]) == [3, 1, 2, 0, 4])
        #expect(entries([0.25, 0.5], maxCount: 1).first == LabelRanking.Entry(index: 1, score: 0.5))
    }

    @Test("what equals the threshold stays, the next smaller number does not")
    func threshold() {
        #expect(indexes([0.5, Float(0.5).nextDown, Float(0.5).nextUp], threshold: 0.5) == [2, 0])
        #expect(indexes([-0.1, 0, 0.1]) == [2, 1])
        #expect(indexes([0.1], threshold: 1) == [])
    }

    @Test("at most so many")
    func maxCount() {
        let scores = (0..<20).map { Float($0) }
        #expect(indexes(scores, maxCount: 3) == [19, 18, 17])
        #expect(indexes(scores, maxCount: .max).count == 20)
        #expect(indexes([], maxCount: 3) == [])
    }

    @Test("what is not a number is no label; infinities are in their place")
    func specialNumbers() {
        #expect(indexes([.nan, 0.5, .infinity, -.infinity, -.nan]) == [2, 1])
    }

    @Test("the same as sorting everything", arguments: 0..<200)
    func sameAsFullSort(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        // Few values, so that there are many ties.
        let scores = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
            Int.random(in: 0..<20, using: &generator) == 0
                ? .nan : Float(Int.random(in: -5...40, using: &generator)) / 40
        }
        let threshold = Float(Int.random(in: -5...40, using: &generator)) / 40
        let maxCount = Int.random(in: 1...320, using: &generator)
        let sorted = scores.enumerated().filter { $0.element >= threshold }
            .sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }.prefix(maxCount)
        #expect(indexes(scores, threshold: threshold, maxCount: maxCount) == sorted.map(\.offset))
    }
}
