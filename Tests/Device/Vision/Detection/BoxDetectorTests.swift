import Dispatch
import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Synchronization
import Testing

/// Whatever way a model writes its boxes, the same spots are found at the same places.
@Suite("Boxes of every layout")
struct BoxDetectorTests {
    private static let green = "1 0 2 1"
    private static let blue = "2 3 3 4"

    private func summaries(
        _ name: String, picture: String = "spots.png", _ change: (inout BoxDetectorOptions) -> Void = { _ in }
    ) throws -> [String] {
        try Detector.fixture(name, change).boxes(in: Detector.image(picture)).map(\.summary)
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

    @Test("boxes that reach beyond the image are cut off, and known whole")
    func clipping() throws {
        let boxes = try Detector.fixture("raw_boundaries.tflite").boxes(in: Detector.spots)
        #expect(boxes.map(\.summary) == ["2 blue 100 1.5 2.5 3.5 4", "1 green 80 0.5 0 2.5 1.5"])
        #expect(boxes[0].unclippedFrame == CGRect(x: 1.5, y: 2.5, width: 2, height: 2))
        #expect(boxes[0].frame == CGRect(x: 1.5, y: 2.5, width: 2, height: 1.5))
    }

    @Test("by the outputs' own names, by those of a signature, and by what the metadata says")
    func plainAndDescribed() throws {
        #expect(try summaries("plain.tflite") == ["1  75 1 1 3 3", "0  50 0 0 4 4"])
        #expect(try summaries("signed.tflite") == ["1  75 1 1 3 3", "0  50 0 0 4 4"])
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

    @Test("a region is looked at alone, and its boxes are in pixels of the whole image")
    func region() throws {
        let detector = try Detector.fixture("ssd.tflite")
        let image = Detector.image("wide.png")
        let region = PixelRect(x: 4, y: 0, width: 4, height: 4)
        let boxes = try detector.boxes(in: image, region: region)
        #expect(boxes.map(\.summary) == ["1 blue 100 6 3 7 4", "0 green 80 5 0 6 1"])
        let error = Detector.error {
            _ = try detector.boxes(in: image, region: PixelRect(x: 4, y: 0, width: 5, height: 4))
        }
        #expect(error?.code == 3)
    }

    @Test("the placement that the options say: a letterbox shows all of a wide image, a crop its middle")
    func placement() throws {
        let crop = try Detector.fixture("ssd.tflite") { $0.placement = .crop }
        #expect(try crop.boxes(in: Detector.image("wide.png")).map(\.summary) == ["0 green 80 5 0 6 1"])
        let fit = try Detector.fixture("ssd.tflite") {
            $0.placement = .fit()
            $0.scoreThreshold = 0.1
        }
        let boxes = try fit.boxes(in: Detector.image("wide.png"))
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

/// Images that follow one another.
@Suite("Boxes from frame to frame")
struct BoxDetectorFrameTests {
    @Test("a video model gets its state back with the next image, until it is reset")
    func state() throws {
        let detector = try Detector.fixture("video.tflite")
        func score() throws -> Float { try #require(try detector.boxes(in: Detector.spots).first).confidence }
        #expect(abs(try score() - 0.1) < 1e-5)
        #expect(abs(try score() - 0.4) < 1e-5)
        #expect(abs(try score() - 0.7) < 1e-5)
        try detector.resetState()
        #expect(abs(try score() - 0.1) < 1e-5)
    }

    @Test("tracking ids stay with the things, and are absent unless asked for")
    func tracking() throws {
        let detector = try Detector.fixture("ssd.tflite") { $0.tracksObjects = true }
        let first = try detector.boxes(in: Detector.spots)
        #expect(first.map(\.trackingID) == [0, 1])
        #expect(try detector.boxes(in: Detector.spots).map(\.trackingID) == [0, 1])
        #expect(try detector.boxes(in: Detector.image("neighbours.png")).allSatisfy { ($0.trackingID ?? 0) > 1 })
        try detector.resetState()
        #expect(try detector.boxes(in: Detector.spots).allSatisfy { ($0.trackingID ?? 0) > 1 })
        #expect(try Detector.fixture("ssd.tflite").boxes(in: Detector.spots).allSatisfy { $0.trackingID == nil })
    }

    @Test("completions come in the order of the calls, on the callback queue")
    func completions() async throws {
        let detector = try Detector.fixture("video.tflite")
        let queue = DispatchQueue(label: "callbacks")
        detector.callbackQueue = queue
        let scores: [Float] = await withCheckedContinuation { continuation in
            let scores = Mutex<[Float]>([])
            for _ in 0..<8 {
                detector.process(Detector.spots) { boxes, error in
                    dispatchPrecondition(condition: .onQueue(queue))
                    #expect((boxes == nil) != (error == nil))
                    let all = scores.withLock { scores in
                        scores.append(boxes?.first?.confidence ?? 0)
                        return scores
                    }
                    if all.count == 8 { continuation.resume(returning: all) }
                }
            }
        }
        #expect(scores == scores.sorted())
        #expect(Set(scores).count == 8)
    }

    @Test("many threads with one detector get the same answer")
    func threads() throws {
        let detector = try Detector.fixture("ssd.tflite")
        let expected = try detector.boxes(in: Detector.spots)
        DispatchQueue.concurrentPerform(iterations: 32) { _ in
            #expect((try? detector.boxes(in: Detector.spots)) == expected)
        }
    }

    @Test("async code gets boxes")
    func async() async throws {
        #expect(try await Detector.fixture("ssd.tflite").process(Detector.spots).count == 2)
    }
}

/// Models that are no detectors are refused when the detector is made; numbers that cannot be only cost boxes.
@Suite("What a box detector refuses")
struct BoxDetectorErrorTests {
    @Test("a model of another layout: the text names its outputs and what is known")
    func unknownLayout() throws {
        let error = try #require(Detector.error(LocalModel(path: Labeler.path("uint8.tflite"))))
        #expect(error.code == 9)
        #expect(
            error.localizedDescription.hasPrefix(
                "The model is not an object detector of a known layout. Its outputs: 'scores' [1, 3]. Known layouts: ssd,"
            ))
    }

    @Test("a model that says nothing about its outputs, until a file beside it does")
    func undescribed() throws {
        let error = try #require(Detector.error(LocalModel(path: Detector.path("undescribed.tflite"))))
        #expect(error.code == 9)
        #expect(error.localizedDescription.hasPrefix("The model does not say which of its outputs contains boxes"))
        let folder = try TemporaryFolder()
        let model = try Data(contentsOf: URL(fileURLWithPath: Detector.path("undescribed.tflite")))
        _ = try folder.write(model, to: "model.tflite")
        let words = #"["bounding_boxes", "class_confidences", "class_labels", "num_of_boxes"]"#
        _ = try folder.write(#"{"outputTensorRepresentation": \#(words)}"#.utf8, to: "tflite_metadata.json")
        let boxes = try BoxDetector(model: LocalModel(path: folder.path)).boxes(in: Detector.spots)
        #expect(boxes.map { "\($0.index) \($0.confidence)" } == ["1 0.75", "0 0.5"])
    }

    @Test("offsets from anchors, which are in the metadata")
    func anchors() {
        let text = Detector.error(LocalModel(path: Detector.path("anchors.tflite")))?.localizedDescription
        #expect(text?.contains("DETECTOR_METADATA") == true)
    }

    @Test("a model of another layout is refused for that, although it has no normalization either")
    func layoutBeforeNormalization() {
        let text = Detector.error(LocalModel(path: Labeler.path("float_bare.tflite")))?.localizedDescription
        #expect(text?.hasPrefix("The model is not an object detector of a known layout.") == true)
    }

    @Test("a box layout that cannot be")
    func badIndex() {
        let error = Detector.error(LocalModel(path: Detector.path("bad_index.tflite")))
        #expect(error?.localizedDescription.contains("box layout [0, 1, 1, 7]") == true)
    }

    @Test("a second input that nothing is carried over to")
    func secondInput() {
        let error = Detector.error(
            LocalModel(path: TestPaths.fixtures.appendingPathComponent("models/subtract.tflite").path))
        #expect(error?.localizedDescription.contains("does not take images") == true)
    }

    @Test("no file, a bundle for labeling, damaged export metadata")
    func noDetector() throws {
        let folder = try TemporaryFolder()
        #expect(Detector.error(LocalModel(path: folder.path + "/model.tflite"))?.code == 5)
        #expect(Detector.error(LocalModel(path: Labeler.bundle("digits-labeler")))?.code == 9)
        for name in ["model.tflite", "dict.txt"] {
            _ = try folder.write(Data(contentsOf: URL(fileURLWithPath: Detector.path("automl/" + name))), to: name)
        }
        _ = try folder.write("[".utf8, to: "tflite_metadata.json")
        let error = Detector.error(LocalModel(path: folder.path))
        #expect(error?.localizedDescription.contains("tflite_metadata.json") == true)
    }

    @Test("a remote model that is not on this device is reported by each call")
    func remoteModel() {
        let detector = BoxDetector(remoteModel: CustomRemoteModel(name: "nobody-published-this"))
        #expect(Detector.error { try detector.checkModel() }?.code == 5)
        #expect(Detector.error { _ = try detector.boxes(in: Detector.spots) }?.code == 5)
        #expect(Detector.error { try detector.resetState() }?.code == 5)
    }

    @Test("a model cut short anywhere is an error, never a crash")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: Detector.path("ssd.tflite")))
        for count in stride(from: 0, to: whole.count - 1, by: 16) {
            let path = try folder.write(whole.prefix(count), to: "cut.tflite")
            _ = try? BoxDetector(model: LocalModel(path: path)).boxes(in: Detector.spots)
        }
    }

    @Test("numbers that cannot be cost their boxes and nothing else")
    func hostileNumbers() throws {
        let boxes = try Detector.fixture("hostile.tflite").boxes(in: Detector.spots)
        #expect(boxes.map(\.summary) == ["0  90 1 1 3 3", "1  80 1 1 3 3", "2  70 0 0 4 4"])
        #expect(try Detector.fixture("hostile.tflite") { $0.tracksObjects = true }.boxes(in: Detector.spots).count == 3)
    }

    @Test("a count that cannot be", arguments: [("count_nan", 0), ("count_negative", 0), ("count_one", 1)])
    func hostileCount(name: String, count: Int) throws {
        #expect(try Detector.fixture(name + ".tflite").boxes(in: Detector.spots).count == count)
    }

    @Test("an image that is none is the image's fault, and the detector works on")
    func badImage() async throws {
        let detector = try Detector.fixture("ssd.tflite")
        for (image, code) in [(VisionImage(data: Data()), 3), (VisionImage(contentsOfFile: "/nowhere/a.png"), 5)] {
            #expect(Detector.error { _ = try detector.boxes(in: image) }?.code == code)
            await #expect(throws: NSError.self) { try await detector.process(image) }
        }
        #expect(try detector.boxes(in: Detector.spots).count == 2)
    }
}
