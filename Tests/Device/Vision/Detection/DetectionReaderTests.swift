import Testing

@testable import HearthVision

/// The numbers of a model's outputs, however mad, become boxes or nothing.
@Suite("Reading a detection model's numbers")
struct DetectionReaderTests {
    private static func reader(count: Int = 4, threshold: Float = 0) -> DetectionReader {
        DetectionReader(
            layout: DetectionLayout(
                boxes: 0, choice: .postprocessed(classes: 1, scores: 2, count: 3), boxCount: count,
                coordinates: .detectionPostProcess),
            threshold: threshold)
    }

    private static func rawReader(classCount: Int, threshold: Float = 0) -> DetectionReader {
        DetectionReader(
            layout: DetectionLayout(
                boxes: 0, choice: .raw(scores: 1, classCount: classCount), boxCount: 0,
                coordinates: .detectionPostProcess),
            threshold: threshold)
    }

    private static let box: [Float] = [0.1, 0.2, 0.3, 0.4]

    @Test("the model's order is kept; edges are top, left, bottom, right")
    func order() {
        let boxes = Self.reader().boxes(
            .init(boxes: Self.box + Self.box, classes: [1, 0.4], scores: [0.1, 0.9], count: 2))
        #expect(boxes.map(\.classIndex) == [1, 0])
        #expect(boxes.first?.box == Box(left: 0.2, top: 0.1, right: 0.4, bottom: 0.3))
    }

    @Test(
        "the count is honoured and not believed",
        arguments: [
            (nil, 4), (0, 0), (2, 2), (2.9, 2), (4, 4), (5, 4), (1e30, 4), (.infinity, 4), (.nan, 0), (-1, 0),
            (-.infinity, 0),
        ] as [(Float?, Int)])
    func count(value: Float?, expected: Int) {
        let boxes = Self.reader().boxes(
            .init(
                boxes: Array(repeating: Self.box, count: 4).flatMap(\.self), classes: [0, 1, 2, 3],
                scores: [1, 1, 1, 1], count: value))
        #expect(boxes.count == expected)
    }

    @Test("the range of scores is that of all boxes that count, also of those that are left out")
    func scoreRange() {
        func range(_ reader: DetectionReader, _ numbers: DetectionReader.Numbers) -> [Float] {
            let range = reader.scoreRange(numbers, of: reader.boxes(numbers))
            return [range.lowest, range.highest]
        }
        let numbers = DetectionReader.Numbers(
            boxes: Self.box + Self.box + Self.box, classes: [0, 0, 0], scores: [0.9, -2, 7], count: 2)
        #expect(range(Self.reader(threshold: 0.5), numbers) == [-2, 0.9])
        let raw = DetectionReader.Numbers(boxes: Self.box, scores: [0.7, -3, .nan])
        #expect(range(Self.rawReader(classCount: 3, threshold: 0.5), raw) == [-3, 0.7])
    }

    @Test("outputs shorter than they should be give the boxes that are whole")
    func short() {
        let reader = Self.reader()
        #expect(reader.boxes(.init(boxes: Array(Self.box.dropLast()), classes: [0], scores: [1])).isEmpty)
        #expect(reader.boxes(.init(boxes: Self.box, classes: [], scores: [1])).isEmpty)
        #expect(reader.boxes(.init(boxes: Self.box, classes: [0], scores: [])).isEmpty)
        #expect(reader.boxes(.init(boxes: [], classes: [], scores: [], count: 4)).isEmpty)
        #expect(Self.rawReader(classCount: 3).boxes(.init(boxes: Self.box, scores: [1, 1])).isEmpty)
    }

    @Test(
        "a score passes above the threshold only",
        arguments: [(0.5, 0), (Float(0.5).nextUp, 1), (.nan, 0), (.infinity, 1), (-1, 0)] as [(Float, Int)])
    func threshold(score: Float, count: Int) {
        let reader = Self.reader(threshold: 0.5)
        #expect(reader.boxes(.init(boxes: Self.box, classes: [0], scores: [score])).count == count)
        let raw = Self.rawReader(classCount: 1, threshold: 0.5)
        #expect(raw.boxes(.init(boxes: Self.box, scores: [score])).count == count)
    }

    @Test(
        "classes that cannot be", arguments: [-1, .nan, .infinity, -.infinity, 1e9, 1e30, 1_000_001] as [Float])
    func classes(value: Float) {
        #expect(Self.reader().boxes(.init(boxes: Self.box, classes: [value], scores: [1])).isEmpty)
    }

    @Test("each place has its best class, of equal ones the first")
    func bestClass() {
        let boxes = Self.rawReader(classCount: 3, threshold: 0.2).boxes(
            .init(
                boxes: [0, 0, 0.1, 0.1] + [0.5, 0.5, 0.6, 0.6] + [0.8, 0.8, 0.9, 0.9],
                scores: [0.1, 0.2, 0.15] + [0.3, 0.7, 0.7] + [.nan, .nan, 0.9]))
        #expect(boxes.map(\.classIndex) == [2, 1])
        #expect(boxes.map(\.score) == [0.9, 0.7])
    }

    @Test("a flood of candidates is cut to the best ones, in bounded time")
    func flood() {
        let places = 20_000
        let boxes = (0..<places).flatMap { place -> [Float] in
            let left = Float(place)
            return [0, left, 1, left + 1]
        }
        let scores = (0..<places).map { Float($0 + 1) / Float(places) }
        let found = Self.rawReader(classCount: 1).boxes(.init(boxes: boxes, scores: scores))
        #expect(found.count == DetectionReader.maxCandidateCount)
        #expect(found.first?.score == 1)
    }
}
