import HearthModelFile
import Testing

@testable import HearthVision

/// The numbers of a model's outputs, however mad, become boxes or nothing.
@Suite("Reading a detection model's numbers")
struct DetectionReaderTests {
    private static func reader(threshold: Float = 0) -> DetectionReader {
        DetectionReader(
            layout: DetectionLayoutFinder.selected(.ssd, boxes: 0, classes: 1, scores: 2, count: 3),
            threshold: threshold)
    }

    private static func rawReader(classCount: Int, threshold: Float = 0) -> DetectionReader {
        DetectionReader(
            layout: DetectionLayout(
                name: .ssdScores,
                form: .scored(
                    boxes: OutputColumns(output: 0, tableWidth: 4), objectness: nil,
                    scores: OutputColumns(output: 1, tableWidth: classCount), classCount: classCount)),
            threshold: threshold)
    }

    private static func selected(
        boxes: [Float], classes: [Float], scores: [Float], count: Float? = nil
    ) -> OutputNumbers {
        OutputNumbers([0: boxes, 1: classes, 2: scores, 3: count.map { [$0] } ?? [Float(scores.count)]])
    }

    private static func raw(boxes: [Float], scores: [Float]) -> OutputNumbers { OutputNumbers([0: boxes, 1: scores]) }

    private static func boxes(_ reader: DetectionReader, _ numbers: OutputNumbers) throws -> [ScoredBox] {
        try reader.result(numbers, inputSize: (8, 8)).boxes
    }

    private static let box: [Float] = [0.1, 0.2, 0.3, 0.4]

    @Test("the model's order is kept; edges are top, left, bottom, right")
    func order() throws {
        let boxes = try Self.boxes(
            Self.reader(),
            Self.selected(boxes: Self.box + Self.box, classes: [1, 0.4], scores: [0.1, 0.9], count: 2))
        #expect(boxes.map(\.classIndex) == [1, 0])
        #expect(boxes.first?.box == Box(left: 0.2, top: 0.1, right: 0.4, bottom: 0.3))
    }

    @Test(
        "the count is honoured and not believed",
        arguments: [
            (0, 0), (2, 2), (2.9, 2), (4, 4), (5, 4), (1e30, 4), (.infinity, 4), (.nan, 0), (-1, 0),
            (-.infinity, 0),
        ] as [(Float, Int)])
    func count(value: Float, expected: Int) throws {
        let boxes = try Self.boxes(
            Self.reader(),
            Self.selected(
                boxes: Array(repeating: Self.box, count: 4).flatMap(\.self), classes: [0, 1, 2, 3],
                scores: [1, 1, 1, 1], count: value))
        #expect(boxes.count == expected)
    }

    @Test("without a count, all boxes count")
    func noCount() throws {
        var reader = Self.reader()
        reader.layout = DetectionLayoutFinder.selected(.ssd, boxes: 0, classes: 1, scores: 2, count: nil)
        let numbers = OutputNumbers([0: Self.box + Self.box, 1: [0, 1], 2: [1, 1]])
        #expect(try Self.boxes(reader, numbers).count == 2)
    }

    @Test("the range of scores is that of all boxes that count, also of those that are left out")
    func scoreRange() throws {
        func range(_ reader: DetectionReader, _ numbers: OutputNumbers) throws -> [Float] {
            let range = try reader.result(numbers, inputSize: (8, 8)).range
            return [range.lowest, range.highest]
        }
        let numbers = Self.selected(
            boxes: Self.box + Self.box + Self.box, classes: [0, 0, 0], scores: [0.9, -2, 7], count: 2)
        #expect(try range(Self.reader(threshold: 0.5), numbers) == [-2, 0.9])
        // Of the best class of each place.
        let raw = Self.raw(boxes: Self.box + Self.box, scores: [0.7, -3, .nan, -2, -5, -4])
        #expect(try range(Self.rawReader(classCount: 3, threshold: 0.5), raw) == [-2, 0.7])
    }

    @Test("outputs shorter than they should be give the boxes that are whole")
    func short() throws {
        let reader = Self.reader()
        for numbers in [
            Self.selected(boxes: Array(Self.box.dropLast()), classes: [0], scores: [1]),
            Self.selected(boxes: Self.box, classes: [], scores: [1]),
            Self.selected(boxes: Self.box, classes: [0], scores: []),
            Self.selected(boxes: [], classes: [], scores: [], count: 4), OutputNumbers([:]),
        ] {
            #expect(try Self.boxes(reader, numbers).isEmpty)
        }
        #expect(try Self.boxes(Self.rawReader(classCount: 3), Self.raw(boxes: Self.box, scores: [1, 1])).isEmpty)
    }

    @Test(
        "a score passes above the threshold only",
        arguments: [(0.5, 0), (Float(0.5).nextUp, 1), (.nan, 0), (.infinity, 1), (-1, 0)] as [(Float, Int)])
    func threshold(score: Float, count: Int) throws {
        let reader = Self.reader(threshold: 0.5)
        let numbers = Self.selected(boxes: Self.box, classes: [0], scores: [score])
        #expect(try Self.boxes(reader, numbers).count == count)
        let raw = Self.rawReader(classCount: 1, threshold: 0.5)
        #expect(try Self.boxes(raw, Self.raw(boxes: Self.box, scores: [score])).count == count)
    }

    @Test(
        "classes that cannot be", arguments: [-1, .nan, .infinity, -.infinity, 1e9, 1e30, 1_000_001] as [Float])
    func classes(value: Float) throws {
        let numbers = Self.selected(boxes: Self.box, classes: [value], scores: [1])
        #expect(try Self.boxes(Self.reader(), numbers).isEmpty)
    }

    @Test("the same box again is left out, as exports have it that repeat boxes")
    func repeated() throws {
        let numbers = Self.selected(
            boxes: Self.box + Self.box + Self.box, classes: [1, 1, 0], scores: [0.5, 0.5, 0.5])
        #expect(try Self.boxes(Self.reader(), numbers).map(\.classIndex) == [1, 0])
    }

    @Test("a model that counts its classes from 1 has them from 0 here")
    func firstClass() throws {
        var reader = Self.reader()
        reader.layout.firstClass = .one
        let numbers = Self.selected(boxes: Self.box + Self.box, classes: [3, 0], scores: [0.9, 0.8])
        #expect(try Self.boxes(reader, numbers).map(\.classIndex) == [2])
    }

    @Test("each place has its best class, of equal ones the first")
    func bestClass() throws {
        let boxes = try Self.boxes(
            Self.rawReader(classCount: 3, threshold: 0.2),
            Self.raw(
                boxes: [0, 0, 0.1, 0.1] + [0.5, 0.5, 0.6, 0.6] + [0.8, 0.8, 0.9, 0.9],
                scores: [0.1, 0.2, 0.15] + [0.3, 0.7, 0.7] + [.nan, .nan, 0.9]))
        #expect(boxes.map(\.classIndex) == [2, 1])
        #expect(boxes.map(\.score) == [0.9, 0.7])
    }

    @Test("a flood of candidates is cut to the best ones, in bounded time")
    func flood() throws {
        let places = 20_000
        let boxes = (0..<places).flatMap { place -> [Float] in
            let left = Float(place)
            return [0, left, 1, left + 1]
        }
        let scores = (0..<places).map { Float($0 + 1) / Float(places) }
        let found = try Self.boxes(Self.rawReader(classCount: 1), Self.raw(boxes: boxes, scores: scores))
        #expect(found.count == DetectionReader.maxCandidateCount)
        #expect(found.first?.score == 1)
    }
}
