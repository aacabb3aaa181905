import Testing

@testable import HearthVision

@Suite("Boxes and how much they overlap")
struct BoxTests {
    private func box(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> Box {
        Box(left: left, top: top, right: right, bottom: bottom)
    }

    @Test("area and overlap of ordinary boxes")
    func ordinary() {
        let square = box(0, 0, 2, 2)
        #expect(square.area == 4)
        #expect(square.intersectionOverUnion(with: square) == 1)
        #expect(square.intersectionOverUnion(with: box(1, 0, 3, 2)) == 2.0 / 6)
        #expect(box(1, 0, 3, 2).intersectionOverUnion(with: square) == 2.0 / 6)
        #expect(square.intersectionOverUnion(with: box(0.5, 0.5, 1.5, 1.5)) == 0.25)
        #expect(box(-2, -2, 0, 0).intersectionOverUnion(with: box(-1, -2, 1, 0)) == 2.0 / 6)
    }

    @Test("boxes that are apart, or only touch, do not overlap")
    func apart() {
        #expect(box(0, 0, 1, 1).intersectionOverUnion(with: box(2, 0, 3, 1)) == 0)
        #expect(box(0, 0, 1, 1).intersectionOverUnion(with: box(1, 0, 2, 1)) == 0)
        #expect(box(0, 0, 1, 1).intersectionOverUnion(with: box(0, 1, 1, 2)) == 0)
    }

    @Test("boxes without area overlap nothing, themselves included")
    func empty() {
        let whole = box(0, 0, 9, 9)
        for odd in [box(3, 3, 3, 5), box(5, 3, 4, 6), box(3, 5, 6, 4), box(5, 5, 3, 3)] {
            #expect(odd.area == 0)
            #expect(odd.intersectionOverUnion(with: whole) == 0)
            #expect(odd.intersectionOverUnion(with: odd) == 0)
        }
    }

    @Test("the overlap is a number from 0 to 1, whatever the sides are")
    func specialNumbers() {
        let odd: [Float] = [
            .nan, .infinity, -.infinity, 0, -0.0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNonzeroMagnitude,
        ]
        let boxes = odd.flatMap { first in odd.map { box(first, -1, $0, 1) } + odd.map { box(-1, first, 1, $0) } }
        for first in boxes {
            for second in boxes {
                let overlap = first.intersectionOverUnion(with: second)
                #expect(overlap >= 0 && overlap <= 1)
                #expect(overlap == second.intersectionOverUnion(with: first))
            }
        }
    }

    @Test("sides near the largest number do not overflow")
    func large() {
        let large = box(0, 0, .greatestFiniteMagnitude, .greatestFiniteMagnitude)
        #expect(large.area.isFinite)
        #expect(large.intersectionOverUnion(with: large) == 1)
    }
}
