import Dispatch
import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

/// Whatever way a model writes its boxes, the same spots are found at the same places.
@Suite("Boxes of every layout")
struct BoxDetectorTests {
    private static let green = "1 0 2 1"
    private static let blue = "2 3 3 4"

    private func summaries(
        _ name: String, picture: String = "spots.png", _ change: (inout BoxDetectorOptions) -> Void = { _ in }
    ) throws -> [String] {
        try Detector.fixture(name, change).boxes(in: Detector.picture(picture)).map(\.summary)
    }

    @Test(
        "every layout gives the two spots, highest score first",
        arguments: [
            ("ssd.tflite", ["1 blue 100", "0 green 80"]), ("shuffled.tflite", ["1  100", "0  80"]),
            ("automl", ["1 Blau, grün 100", "0 Green 80"]),
            ("automl/tflite_metadata.json", ["1 Blau, grün 100", "0 Green 80"]),
            ("raw_upper_left.tflite", ["2 blue 100", "1 green 80"]),
            ("raw_center.tflite", ["2 blue 100", "1 green 80"]),
        ])
    func layouts(name: String, expected: [String]) throws {
        let boxes = try summaries(name)
        #expect(boxes == ["\(expected[0]) \(Self.blue)", "\(expected[1]) \(Self.green)"])
    }

    @Test("boxes that reach beyond the picture are cut off, and known whole")
    func clipping() throws {
        let boxes = try Detector.fixture("raw_boundaries.tflite").boxes(in: Detector.spots)
        #expect(boxes.map(\.summary) == ["2 blue 100 1.5 2.5 3.5 4", "1 green 80 0.5 0 2.5 1.5"])
        #expect(boxes[0].unclippedFrame == CGRect(x: 1.5, y: 2.5, width: 2, height: 2))
        #expect(boxes[0].frame == CGRect(x: 1.5, y: 2.5, width: 2, height: 1.5))
    }

    @Test("outputs in the order of AutoML without a word about them, and by what the metadata says")
    func plainAndDescribed() throws {
        #expect(try summaries("plain.tflite") == ["1  75 1 1 3 3", "0  50 0 0 4 4"])
        #expect(try summaries("described.tflite") == ["1  75 1 0 3 2", "0  50 1 0 3 2"])
    }

    @Test(
        "only above the threshold: the option's, else the model's, else 0",
        arguments: [
            ("ssd.tflite", nil, 2), ("ssd.tflite", 0.79, 2), ("ssd.tflite", 0.81, 1), ("ssd.tflite", 1, 0),
            ("ssd.tflite", .nan, 2), ("plain.tflite", nil, 2), ("plain.tflite", 0.5, 1), ("plain.tflite", 0.75, 0),
        ] as [(String, Float?, Int)])
    func threshold(name: String, threshold: Float?, count: Int) throws {
        #expect(try summaries(name) { $0.scoreThreshold = threshold }.count == count)
    }

    @Test("a negative threshold lets through what has score 0")
    func negativeThreshold() throws {
        let all = try Detector.fixture("raw_center.tflite") { $0.scoreThreshold = -1 }.boxes(in: Detector.spots)
        #expect(all.count == 16)
        #expect(try summaries("raw_center.tflite") { $0.scoreThreshold = 0 }.count == 2)
    }

    @Test("at most so many, the first in order", arguments: [(0, 2), (-1, 2), (1, 1), (2, 2), (Int.max, 2)])
    func maxCount(value: Int, count: Int) throws {
        for name in ["plain.tflite", "raw_center.tflite"] {
            let boxes = try summaries(name) { $0.maxBoxCount = value }
            #expect(boxes.count == count)
            #expect(boxes.first == (try summaries(name).first))
        }
    }

    @Test("of overlapping boxes of one class the best is kept, where the model leaves that to the reader")
    func suppression() throws {
        let neighbours = "neighbours.png"
        let kept = try summaries("raw_boundaries.tflite", picture: neighbours)
        #expect(kept.map { $0.prefix(1) } == ["1", "0", "1", "2"], "neighbours overlap by a third")
        let suppressed = try summaries("raw_boundaries.tflite", picture: neighbours) { $0.overlapThreshold = 0.3 }
        #expect(suppressed.map { $0.prefix(1) } == ["1", "0", "2"], "the other class stays")
    }

    @Test("the background is no class where the labels say that it is one of the scores")
    func background() throws {
        for name in ["raw_center.tflite", "raw_upper_left.tflite", "ssd.tflite"] {
            let boxes = try summaries(name, picture: "neighbours.png") { $0.scoreThreshold = 0.25 }
            #expect(boxes.allSatisfy { $0.contains("green") || $0.contains("blue") })
            #expect(boxes.count == 3)
        }
    }

    @Test("a region is looked at alone, and its boxes are in pixels of the whole picture")
    func region() throws {
        let detector = try Detector.fixture("ssd.tflite")
        let image = Detector.picture("wide.png")
        let region = PixelRect(x: 4, y: 0, width: 4, height: 4)
        let boxes = try detector.boxes(in: image, region: region)
        #expect(boxes.map(\.summary) == ["1 blue 100 6 3 7 4", "0 green 80 5 0 6 1"])
        let error = Detector.error {
            _ = try detector.boxes(in: image, region: PixelRect(x: 4, y: 0, width: 5, height: 4))
        }
        #expect(error?.code == 3)
    }

    @Test("the placement that the options say: a letterbox shows all of a wide picture, a crop its middle")
    func placement() throws {
        let crop = try Detector.fixture("ssd.tflite") { $0.placement = .crop }
        #expect(try crop.boxes(in: Detector.picture("wide.png")).map(\.summary) == ["0 green 80 5 0 6 1"])
        let fit = try Detector.fixture("ssd.tflite") {
            $0.placement = .fit()
            $0.scoreThreshold = 0.1
        }
        let boxes = try fit.boxes(in: Detector.picture("wide.png"))
        #expect(boxes.isEmpty == false)
        #expect(boxes.allSatisfy { $0.frame.minX >= 4 })
    }

    @Test("labels: line of class 0 by count of lines, by the options, or an error")
    func labels() throws {
        let folder = try TemporaryFolder()
        func texts(_ lines: String, offset: Int? = nil) throws -> [String] {
            let labels = try folder.write(lines.utf8, to: "labels.txt")
            var options = BoxDetectorOptions()
            options.labelOffset = offset
            let model = LocalModel(path: Detector.path("ssd.tflite"), labelsPath: labels)
            return try BoxDetector(model: model, options: options).boxes(in: Detector.spots).map(\.text)
        }
        #expect(try texts("a\nb\n") == ["b", "a"])
        #expect(try texts("???\na\nb\n") == ["b", "a"])
        #expect(try texts("x\ny\na\nb\n", offset: 2) == ["b", "a"])
        #expect(try texts("a\nb\n", offset: .max) == ["", ""])
        #expect(try texts("item { id: 1 name: 'a' } item { id: 2 name: 'b' }") == ["b", "a"])
        let error = Detector.error { _ = try texts("a\nb\nc\nd\n") }
        #expect(
            error?.localizedDescription.hasPrefix("The model has 2 classes, but its label file has 4 labels") == true)
    }

    @Test("a bundle packed into one file, or zipped, is the same detector")
    func packed() throws {
        let folder = try TemporaryFolder()
        let expected = try summaries("automl")
        let packed = try folder.write(ModelBundle(path: Detector.path("automl")).packed(), to: "packed.tflite")
        var writer = ZipWriter()
        for name in ["model.tflite", "dict.txt", "tflite_metadata.json"] {
            try writer.add(
                "export/" + name, [UInt8](Data(contentsOf: URL(fileURLWithPath: Detector.path("automl/" + name)))))
        }
        let zip = try folder.write(writer.appended(to: []), to: "export.zip")
        for path in [packed, zip] {
            let boxes = try BoxDetector(model: LocalModel(path: path)).boxes(in: Detector.spots)
            #expect(boxes.map(\.summary) == expected)
        }
    }

    @Test(
        "no more boxes are read than the export says that its model gives, nor than are wanted",
        arguments: [
            ("", 0, 2), (#""maxDetections": 2"#, 0, 2), (#""maxDetections": 1"#, 0, 1), (#""maxDetections": 2"#, 1, 1),
            (#""maxDetections": 0"#, 0, 2), (#""maxDetections": -1"#, 0, 2),
        ])
    func mostDetections(member: String, wanted: Int, expected: Int) throws {
        let folder = try TemporaryFolder()
        for name in ["model.tflite", "dict.txt"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: Detector.path("automl/" + name)))
            _ = try folder.write(bytes, to: name)
        }
        _ = try folder.write("{\(member)}".utf8, to: "tflite_metadata.json")
        var options = BoxDetectorOptions()
        options.maxBoxCount = wanted
        let detector = try BoxDetector(model: LocalModel(path: folder.path), options: options)
        #expect(try detector.boxes(in: Detector.spots).count == expected)
    }

    @Test("more threads, the same answer")
    func threadCount() throws {
        #expect(try summaries("ssd.tflite") { $0.threadCount = 2 } == summaries("ssd.tflite"))
    }
}
