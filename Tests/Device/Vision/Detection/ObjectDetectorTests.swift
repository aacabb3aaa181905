import Dispatch
import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("Objects as ML Kit gives them")
struct ObjectDetectorTests {
    private func detector(
        _ path: String, _ change: (CustomObjectDetectorOptions) -> Void = { _ in }
    ) -> ObjectDetector {
        let options = CustomObjectDetectorOptions(localModel: LocalModel(path: path))
        change(options)
        return ObjectDetector.objectDetector(options: options)
    }

    private func fixture(
        _ name: String, _ change: (CustomObjectDetectorOptions) -> Void = { _ in }
    ) -> ObjectDetector {
        detector(Detector.path(name), change)
    }

    @Test("ML Kit's defaults")
    func defaults() {
        let options = CustomObjectDetectorOptions(localModel: LocalModel(path: "/m.tflite"))
        #expect(options.shouldEnableClassification == false)
        #expect(options.shouldEnableMultipleObjects == false)
        #expect(options.detectorMode == .stream)
        #expect(options.maxPerObjectLabelCount == 10)
        #expect(options.classificationConfidenceThreshold == nil)
        #expect(ObjectDetectorMode.singleImage.rawValue == 0)
        #expect(ObjectDetectorMode.stream.rawValue == 1)
    }

    @Test("one object, without labels, with a tracking id")
    func oneObject() throws {
        let objects = try fixture("ssd.tflite").results(in: Detector.spots)
        #expect(objects.count == 1)
        #expect(objects.first?.frame == CGRect(x: 2, y: 3, width: 1, height: 1), "the surest of two of one size")
        #expect(objects.first?.labels.isEmpty == true)
        #expect(objects.first?.trackingID?.stringValue == "0")
    }

    @Test("several objects with labels, without tracking ids in single image mode")
    func severalObjects() throws {
        let objects = try fixture("ssd.tflite") {
            $0.shouldEnableMultipleObjects = true
            $0.shouldEnableClassification = true
            $0.detectorMode = .singleImage
        }.results(in: Detector.spots)
        #expect(objects.map { $0.labels.map(\.text) } == [["blue"], ["green"]])
        #expect(objects.map { $0.labels.map(\.index) } == [[1], [0]])
        #expect(objects.allSatisfy { $0.trackingID == nil })
    }

    @Test("never more than five")
    func five() throws {
        let detector = fixture("raw_boundaries.tflite") { $0.shouldEnableMultipleObjects = true }
        let white = try #require(UIImage(data: Data(contentsOf: URL(fileURLWithPath: Detector.path("white.png")))))
        let image = try #require(MLImage(image: white))
        #expect(try detector.results(in: image).count == 5)
    }

    @Test("without a threshold in the model, what scores 0.5 or less is no object")
    func defaultThreshold() throws {
        let detector = fixture("plain.tflite") { $0.shouldEnableMultipleObjects = true }
        #expect(try detector.results(in: Detector.spots).map(\.frame) == [CGRect(x: 1, y: 1, width: 2, height: 2)])
    }

    @Test(
        "labels below the threshold are left out, the object stays",
        arguments: [(nil, 1), (0.8, 1), (0.9, 1), (1, 1), (1.5, 1), (-1, 1)] as [(Double?, Int)])
    func labelThreshold(value: Double?, count: Int) throws {
        func labels(_ name: String) throws -> [ObjectLabel] {
            let objects = try fixture(name) {
                $0.shouldEnableClassification = true
                $0.classificationConfidenceThreshold = value.map { $0 as NSNumber }
            }.results(in: Detector.spots)
            #expect(objects.count == 1)
            return objects[0].labels
        }
        #expect(try labels("ssd.tflite").count == count)
        let isBelow = value.map { (0...1).contains($0) && $0 > 0.75 } ?? false
        #expect(try labels("plain.tflite").count == (isBelow ? 0 : 1))
    }

    @Test("an export's metadata that speaks of no boxes does not make a labeling model a detection model")
    func labelingExport() throws {
        let folder = try TemporaryFolder()
        let model = try Data(contentsOf: URL(fileURLWithPath: Labeler.path("uint8.tflite")))
        _ = try folder.write(model, to: "model.tflite")
        _ = try folder.write(Data(#"{"inferenceType": "QUANTIZED_UINT8"}"#.utf8), to: "tflite_metadata.json")
        #expect(try detector(folder.path).results(in: Labeler.pixel).count == 1)
    }

    @Test("a labeling model names the whole image, and finds nothing in it")
    func labelingModel() throws {
        let path = Labeler.path("uint8.tflite")
        let objects = try detector(path) {
            $0.shouldEnableClassification = true
            $0.shouldEnableMultipleObjects = true
            $0.maxPerObjectLabelCount = 2
        }.results(in: Detector.image("wide.png"))
        #expect(objects.map(\.frame) == [CGRect(x: 0, y: 0, width: 8, height: 4)])
        #expect(objects.first?.labels.count == 2)
        #expect(objects.first?.trackingID == 0)
        #expect(try detector(path).results(in: Labeler.pixel).first?.labels == [])
        let bundle = detector(Labeler.bundle("digits-labeler")) { $0.shouldEnableClassification = true }
        let seven = VisionImage(contentsOfFile: Labeler.bundle("digits-labeler/examples/7-a.png"))
        #expect(try bundle.results(in: seven).first?.labels.first?.text == "7")
    }

    @Test("tracking ids stay from frame to frame")
    func tracking() throws {
        let detector = fixture("ssd.tflite") { $0.shouldEnableMultipleObjects = true }
        for _ in 0..<3 { #expect(try detector.results(in: Detector.spots).map(\.trackingID) == [0, 1]) }
        #expect(try detector.results(in: Detector.image("neighbours.png")).contains { $0.trackingID == 2 })
    }

    @Test("the app may say how images are placed in the model's input")
    func placement() throws {
        let crop = fixture("ssd.tflite") {
            $0.placement = .crop
            $0.threadCount = 2
            $0.shouldEnableMultipleObjects = true
        }
        let frames = try crop.results(in: Detector.image("wide.png")).map(\.frame)
        #expect(frames == [CGRect(x: 5, y: 0, width: 1, height: 1)])
    }

    @Test("completions and async code get the same; exactly one argument is nil")
    func completion() async throws {
        let detector = fixture("ssd.tflite")
        let queue = DispatchQueue(label: "callbacks")
        detector.callbackQueue = queue
        for (image, expected) in [(Detector.spots, 1), (VisionImage(data: Data()), nil)] as [(VisionImage, Int?)] {
            let count: Int? = await withCheckedContinuation { continuation in
                detector.process(image) { objects, error in
                    dispatchPrecondition(condition: .onQueue(queue))
                    #expect((objects == nil) != (error == nil))
                    continuation.resume(returning: objects?.count)
                }
            }
            #expect(count == expected)
        }
        #expect(try await detector.process(Detector.spots).count == 1)
    }

    @Test("nothing traps when the model is bad; each call says why")
    func badModel() throws {
        let options = CustomObjectDetectorOptions(localModel: nil)
        let detector = ObjectDetector.objectDetector(options)
        #expect(
            Detector.error { _ = try detector.results(in: Detector.spots) }?.localizedDescription
                == "Local model must not be nil.")
        let remote = CustomObjectDetectorOptions(remoteModel: CustomRemoteModel(name: "nobody-published-this"))
        #expect(Detector.error { try ObjectDetector.objectDetector(options: remote).checkModel() }?.code == 5)
        #expect(Detector.error { try fixture("bad_index.tflite").checkModel() }?.code == 9)
        #expect(Detector.error { try fixture("bad_output.bin").checkModel() }?.code == 9)
        final class Foreign: NSObject, MLKitCompatibleImage {}
        #expect(Detector.error { _ = try fixture("ssd.tflite").results(in: Foreign()) }?.code == 3)
    }
}
