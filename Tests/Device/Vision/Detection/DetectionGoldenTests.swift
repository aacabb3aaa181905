import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("Golden boxes of the shared data", .enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct DetectionGoldenTests {
    private static let models = ["ssd_coco", "salad_automl"]

    @Test("images of the model's own size: the same boxes and scores, to one quantisation step", arguments: models)
    func exact(model: String) throws {
        let golden = try DetectionGoldens(model)
        let detector = try golden.detector()
        let entries = golden.images.filter(\.isExact)
        #expect(!entries.isEmpty)
        for entry in entries {
            let boxes = try detector.boxes(in: DetectionGoldens.picture(entry.image))
            let expected = entry.methods[0]
            for (box, found) in zip(boxes, expected) {
                #expect(box.index == found.classIndex && box.text == found.text, "\(entry.image)")
                #expect(abs(box.confidence - found.score) <= 1 / 256 as Float, "\(entry.image)")
                // The goldens have three decimals.
                let edges = [
                    box.unclippedFrame.minX, box.unclippedFrame.minY, box.unclippedFrame.maxX, box.unclippedFrame.maxY,
                ]
                for (edge, golden) in zip(edges, [found.left, found.top, found.right, found.bottom]) {
                    #expect(abs(edge - golden) < 0.002, "\(entry.image)")
                }
            }
            // Listed are those with 0.25 and more, ten at most.
            #expect(boxes.prefix(10).filter { $0.confidence >= 0.25 }.count == expected.count, "\(entry.image)")
        }
    }

    /// Of each image, what the plain bilinear resize, the rule of the model's own tools, finds with 0.6 or more.
    @Test(
        "photos: every sure object is found, in class and place as by one of the methods", arguments: models,
        [false, true])
    func photos(model: String, allowsScaledDecode: Bool) throws {
        let golden = try DetectionGoldens(model)
        let detector = try golden.detector()
        var options = ImageDecodeOptions()
        options.allowsScaledDecode = allowsScaledDecode
        var count = 0
        for entry in golden.images {
            let path = TestPaths.shared.appendingPathComponent(entry.image).path
            let boxes = try detector.boxes(in: VisionImage(contentsOfFile: path, options: options))
            for found in entry.results.halfPixelBilinear where found.score >= 0.6 {
                let same = entry.methods.flatMap(\.self).filter { $0.isSame(as: found) }
                let isFound = boxes.contains { box in same.contains { $0.isSame(as: box, overlap: 0.75) } }
                #expect(isFound, "\(entry.image): \(found.text) \(found.score) \(found.frame)")
                count += 1
            }
        }
        #expect(count >= 10)
    }

    @Test("all eight orientations: the same boxes on the upright image", arguments: ["parrot", "pets"])
    func orientations(name: String) throws {
        let detector = try DetectionGoldens("ssd_coco").detector()
        let upright = try sureBoxes(detector, "images/exif/\(name)_orient_1.jpg")
        #expect(!upright.isEmpty)
        for orientation in 2...8 {
            let boxes = try sureBoxes(detector, "images/exif/\(name)_orient_\(orientation).jpg")
            #expect(boxes.count == upright.count, "orientation \(orientation)")
            for box in upright {
                let found = DetectionGoldens.Found(box)
                #expect(boxes.contains { found.isSame(as: $0, overlap: 0.75) }, "orientation \(orientation)")
            }
        }
    }

    private func sureBoxes(_ detector: BoxDetector, _ name: String) throws -> [DetectedBox] {
        try detector.boxes(in: DetectionGoldens.picture(name)).filter { $0.confidence >= 0.6 }
    }

    @Test("a region's boxes are where the same things are in the whole image")
    func region() throws {
        let detector = try DetectionGoldens("ssd_coco").detector()
        let whole = try #require(try sureBoxes(detector, "images/pets.jpg").first)
        let margin = 40.0
        let frame = whole.frame.insetBy(dx: -margin, dy: -margin)
        let image = DetectionGoldens.picture("images/pets.jpg")
        let region = PixelRect(
            x: max(0, Int(frame.minX)), y: max(0, Int(frame.minY)), width: Int(whole.frame.width),
            height: Int(whole.frame.height))
        let boxes = try detector.boxes(in: image, region: region).filter { $0.confidence >= 0.5 }
        #expect(boxes.contains { $0.index == whole.index && !$0.frame.intersection(whole.frame).isEmpty })
        #expect(boxes.allSatisfy { $0.frame.maxX > Double(region.x) && $0.frame.maxY > Double(region.y) })
    }

    @Test("salad: the background at the top of the labels is not counted, and the names are without Python's quotes")
    func salad() throws {
        let detector = try DetectionGoldens("salad_automl").detector()
        let boxes = try detector.boxes(in: DetectionGoldens.picture("images/exact/meal_one_320.png"))
        #expect(boxes.prefix(3).map(\.text) == ["Tomato", "Tomato", "Cheese"])
        #expect(boxes.prefix(3).map(\.index) == [3, 3, 0])
    }

    @Test("a video tracker: its state is carried over from frame to frame, its labels come from a label map")
    func video() throws {
        let folder = TestPaths.shared.appendingPathComponent("models/traffic_automl").path
        let detector = try BoxDetector(
            model: LocalModel(path: folder + "/traffic_model.tflite", labelsPath: folder + "/traffic_label_map.pbtxt"))
        for frame in try TrackGoldens().engines["xnnpack"] ?? [] {
            let boxes = try detector.boxes(in: DetectionGoldens.picture(frame.image))
            for found in frame.detections {
                let box = boxes.first {
                    $0.index == found.classIndex && abs($0.unclippedFrame.minX - found.left) < 0.002
                }
                #expect(box?.text == found.label, "\(frame.image)")
                #expect(abs((box?.confidence ?? 0) - found.score) <= 1 / 256 as Float, "\(frame.image)")
            }
        }
        try detector.resetState()
    }
}

/// What the engine's own interpreter found in the images of the shared data, by resize method.
struct DetectionGoldens: Decodable {
    struct Entry: Decodable {
        let scope: String
        let image: String
        let results: Results

        var methods: [[Found]] { [results.halfPixelBilinear, results.pillowBilinear] }

        var isExact: Bool { image.contains("/exact/") }
        var isEXIF: Bool { image.contains("/exif/") }
    }

    /// By the methods that run this engine; MediaPipe's boxes are rounded and clipped.
    struct Results: Decodable {
        let halfPixelBilinear: [Found]
        let pillowBilinear: [Found]
    }

    struct Found: Decodable {
        let classIndex: Int
        let label: String
        /// Where the labels begin with a background that the model does not count.
        let labelOffset1: String?
        let score: Float
        let left, top, right, bottom: Double

        var frame: CGRect { CGRect(x: left, y: top, width: right - left, height: bottom - top) }

        /// As shown: exports write `b'Tomato'`.
        var text: String { (labelOffset1 ?? label).replacing("b'", with: "").replacing("'", with: "") }

        /// Same class, and the boxes share at least this much of what they cover together.
        func isSame(as box: DetectedBox, overlap: Double) -> Bool {
            classIndex == box.index && self.overlap(with: box.unclippedFrame) >= overlap
        }

        /// The same thing as another method sees it.
        func isSame(as other: Self) -> Bool {
            classIndex == other.classIndex && overlap(with: other.frame) >= 0.5
        }

        /// Intersection over union.
        private func overlap(with other: CGRect) -> Double {
            let shared = frame.intersection(other)
            let area = shared.width * shared.height
            return area / (frame.width * frame.height + other.width * other.height - area)
        }
    }

    let model: String
    let images: [Entry]

    init(_ name: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = TestPaths.shared.appendingPathComponent("goldens/detect_\(name).json")
        self = try decoder.decode(DetectionGoldens.self, from: Data(contentsOf: file))
    }

    func detector() throws -> BoxDetector {
        try BoxDetector(model: LocalModel(path: TestPaths.shared.appendingPathComponent(model).path))
    }

    static func picture(_ name: String) -> VisionImage {
        VisionImage(contentsOfFile: TestPaths.shared.appendingPathComponent(name).path)
    }
}

extension DetectionGoldens.Found {
    /// A box to compare others with.
    init(_ box: DetectedBox) {
        self.init(
            classIndex: box.index, label: box.text, labelOffset1: nil, score: box.confidence,
            left: box.unclippedFrame.minX, top: box.unclippedFrame.minY, right: box.unclippedFrame.maxX,
            bottom: box.unclippedFrame.maxY)
    }
}

/// Three frames through a video model, in their order.
struct TrackGoldens: Decodable {
    struct Frame: Decodable {
        let image: String
        let detections: [DetectionGoldens.Found]
    }

    let engines: [String: [Frame]]

    init() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = TestPaths.shared.appendingPathComponent("goldens/track_traffic_automl.json")
        self = try decoder.decode(TrackGoldens.self, from: Data(contentsOf: file))
    }
}
