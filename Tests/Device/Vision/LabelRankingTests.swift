import Testing

@testable import HearthVision

@Suite("Which scores become labels")
struct LabelRankingTests {
    private func indexes(_ scores: [Float], threshold: Float = 0, maxCount: Int = 10) -> [Int] {
        LabelRanking(threshold: threshold, maxCount: maxCount).entries(scores).map(\.index)
    }

    @Test("highest first, of equal ones the lower index")
    func order() {
        #expect(indexes([0.1, 0.5, 0.5, 0.9, 0.1]) == [3, 1, 2, 0, 4])
        let entry = LabelRanking(threshold: 0, maxCount: 1).entries([0.25, 0.5]).first
        #expect(entry == LabelRanking.Entry(index: 1, score: 0.5))
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
}
