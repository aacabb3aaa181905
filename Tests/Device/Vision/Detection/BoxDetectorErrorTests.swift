import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

/// Models that are no detectors are refused when the detector is made; numbers that cannot be only cost boxes.
@Suite("What a box detector refuses")
struct BoxDetectorErrorTests {
    @Test("a model of another layout: the text names its outputs and what is known")
    func unknownLayout() throws {
        let error = try #require(Detector.error(LocalModel(path: Labeler.path("uint8.tflite"))))
        #expect(error.code == 9)
        #expect(
            error.localizedDescription.hasPrefix(
                "The model is not an object detector of a known layout. Its outputs: 'scores' [1, 3]. Known: boxes"))
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
        #expect(error?.localizedDescription.contains("does not take pictures") == true)
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

    @Test("a picture that is none is the picture's fault, and the detector works on")
    func badPicture() async throws {
        let detector = try Detector.fixture("ssd.tflite")
        for (image, code) in [(VisionImage(data: Data()), 3), (VisionImage(contentsOfFile: "/nowhere/a.png"), 5)] {
            #expect(Detector.error { _ = try detector.boxes(in: image) }?.code == code)
            await #expect(throws: NSError.self) { try await detector.process(image) }
        }
        #expect(try detector.boxes(in: Detector.spots).count == 2)
    }
}
