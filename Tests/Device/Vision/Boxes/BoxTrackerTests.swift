import HearthTestSupport
import Testing

@testable import HearthVision

@Suite("Which box is which object")
struct BoxTrackerTests {
    private func box(_ left: Float, _ classIndex: Int = 0) -> ScoredBox {
        ScoredBox(box: Box(left: left, top: 0, right: left + 10, bottom: 10), classIndex: classIndex, score: 0.9)
    }

    @Test("objects that move a little keep their numbers, in whatever order they come")
    func moving() {
        var tracker = BoxTracker()
        #expect(tracker.identifiers(of: [box(0), box(50)]) == [0, 1])
        #expect(tracker.identifiers(of: [box(52), box(2)]) == [1, 0])
        #expect(tracker.identifiers(of: [box(4), box(54), box(90)]) == [0, 1, 2])
    }

    @Test("the best overlap wins, not the first box")
    func best() {
        var tracker = BoxTracker()
        _ = tracker.identifiers(of: [box(0)])
        #expect(tracker.identifiers(of: [box(4), box(1)]) == [1, 0])
    }

    @Test("one object is continued by one box only")
    func onlyOne() {
        var tracker = BoxTracker()
        _ = tracker.identifiers(of: [box(0)])
        #expect(tracker.identifiers(of: [box(0), box(0)]) == [0, 1])
        #expect(
            tracker.identifiers(of: [box(0), box(0)]) == [0, 1], "of equal ones the older object, the earlier box")
    }

    @Test("another class at the same place is another object")
    func classes() {
        var tracker = BoxTracker()
        #expect(tracker.identifiers(of: [box(0, 1)]) == [0])
        #expect(tracker.identifiers(of: [box(0, 2)]) == [1])
        #expect(tracker.identifiers(of: [box(0, 1), box(0, 2)]) == [0, 1])
    }

    @Test("missing for as many frames as allowed; one more, and it is a new object", arguments: [(3, 0), (4, 1)])
    func missing(frames: Int, identifier: Int) {
        var tracker = BoxTracker(maximumAge: 3)
        _ = tracker.identifiers(of: [box(0)])
        for _ in 0..<frames { #expect(tracker.identifiers(of: []) == []) }
        #expect(tracker.identifiers(of: [box(0)]) == [identifier])
    }

    @Test("too little overlap is a new object")
    func jump() {
        var tracker = BoxTracker()
        _ = tracker.identifiers(of: [box(0)])
        #expect(tracker.identifiers(of: [box(6)]) == [1])
    }

    @Test("numbers go on after a reset")
    func reset() {
        var tracker = BoxTracker()
        _ = tracker.identifiers(of: [box(0)])
        tracker.reset()
        #expect(tracker.identifiers(of: [box(0)]) == [1])
    }

    @Test("memory is bounded: what was not seen goes first")
    func bounded() {
        var tracker = BoxTracker(maximumAge: 10, maximumCount: 2)
        #expect(tracker.identifiers(of: [box(0), box(50), box(100)]) == [0, 1, 2])
        #expect(tracker.identifiers(of: [box(100), box(50)]) == [3, 1], "the third was not remembered")
        #expect(tracker.identifiers(of: [box(0), box(50), box(100)]) == [4, 1, 3])
    }

    @Test("boxes that are no boxes get a number and are never known again")
    func odd() {
        var tracker = BoxTracker()
        let odd = ScoredBox(box: Box(left: .nan, top: 0, right: 1, bottom: -1), classIndex: 0, score: .nan)
        #expect(tracker.identifiers(of: [odd]) == [0])
        #expect(tracker.identifiers(of: [odd]) == [1])
    }

    @Test("a random stream: never a number twice in a frame, never an old one again, the same each time")
    func random() {
        func run() -> [[Int]] {
            var generator = SeededGenerator(seed: 7)
            var tracker = BoxTracker(maximumAge: 2, maximumCount: 20)
            return (0..<300).map { _ in
                let count = Int.random(in: 0...30, using: &generator)
                return tracker.identifiers(
                    of: (0..<count).map { _ in
                        box(.random(in: 0...200, using: &generator), .random(in: 0...1, using: &generator))
                    })
            }
        }
        let frames = run()
        #expect(frames == run())
        var lastSeen: [Int: Int] = [:]
        for (number, frame) in frames.enumerated() {
            #expect(Set(frame).count == frame.count)
            for identifier in frame {
                #expect(number - (lastSeen[identifier] ?? number) <= 3)
                lastSeen[identifier] = number
            }
        }
    }
}
