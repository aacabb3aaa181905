import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision

/// What the engine's own interpreter found in the pictures of the shared data, by resize method.
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
