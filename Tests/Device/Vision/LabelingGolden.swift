import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision

/// What other implementations make of the shared data's photos, for one labeling model.
struct LabelingGolden: Decodable {
    struct Entry: Decodable {
        struct Label: Decodable {
            let index: Int
            let label: String
            let score: Float
        }

        let scope: String
        let image: String
        /// What was done with transparency; nil for pictures without.
        let alpha: String?
        let top1Agrees: Bool
        /// By method; those of the engine without XNNPACK end in `/builtin`.
        let results: [String: [Label]]

        /// The method that this package uses, with the engine that it uses.
        var labels: [Label] { results["half_pixel_bilinear"] ?? [] }

        var isExact: Bool { image.contains("/exact/") }

        func picture(allowsScaledDecode: Bool = false) -> VisionImage {
            VisionImage(
                contentsOfFile: TestPaths.shared.appendingPathComponent(image).path,
                options: ImageDecodeOptions(allowsScaledDecode: allowsScaledDecode))
        }
    }

    let model: String
    let labelsFile: String
    let images: [Entry]

    static let models = ["flowers_automl", "mobilenet_v1_float", "mobilenet_v1_small", "mobilenet_v2_quant"]

    init(_ name: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let file = TestPaths.shared.appendingPathComponent("goldens/classify_\(name).json")
        self = try decoder.decode(LabelingGolden.self, from: Data(contentsOf: file))
    }

    /// Of the pictures that lie in the shared data, with transparency treated as this package does.
    var entries: [Entry] { images.filter { $0.scope == "shared" && $0.alpha ?? "dropped" == "dropped" } }

    /// Gives every score.
    var labeler: ImageLabeler { labeler(.antialiased) }

    func labeler(_ resampling: ImageResampling) -> ImageLabeler {
        Labeler.make(
            LocalModel(
                path: TestPaths.shared.appendingPathComponent(model).path,
                labelsPath: TestPaths.shared.appendingPathComponent(labelsFile).path),
            maxCount: .max, resampling: resampling)
    }
}

extension ImageLabeler {
    func scores(_ image: VisionImage) throws -> [Int: Float] {
        Dictionary(uniqueKeysWithValues: try results(in: image).map { ($0.index, $0.confidence) })
    }
}

extension [Int: Float] {
    /// The largest difference of any score.
    func distance(to other: [Int: Float]) -> Float {
        Set(keys).union(other.keys).map { abs(self[$0, default: 0] - other[$0, default: 0]) }.max() ?? 0
    }

    /// The largest difference of a score that a method lists.
    func distance(to labels: [LabelingGolden.Entry.Label]) -> Float {
        labels.map { abs(self[$0.index, default: 0] - $0.score) }.max() ?? .infinity
    }
}
