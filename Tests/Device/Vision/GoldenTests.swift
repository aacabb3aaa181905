import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("Golden labels of the shared data", .enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct GoldenTests {
    struct Golden: Decodable {
        struct Entry: Decodable {
            struct Label: Decodable {
                let index: Int
                let label: String
                let score: Float
            }

            let scope: String
            let image: String
            let top1Agrees: Bool
            let results: [String: [Label]]

            /// The method that this package uses, with the engine that it uses.
            var labels: [Label] { results["half_pixel_bilinear"] ?? [] }
            var isExact: Bool { image.contains("/exact/") }
        }

        let model: String
        let labelsFile: String
        let images: [Entry]

        init(_ name: String) throws {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let file = TestPaths.shared.appendingPathComponent("goldens/classify_\(name).json")
            self = try decoder.decode(Golden.self, from: Data(contentsOf: file))
        }

        /// Of the pictures that lie in the shared data and are JPEG or PNG.
        var entries: [Entry] {
            images.filter { entry in
                entry.scope == "shared" && [".jpg", ".jpeg", ".png"].contains { entry.image.hasSuffix($0) }
            }
        }
    }

    private static let models = [
        "flowers_automl", "mobilenet_v1_float", "mobilenet_v1_small", "mobilenet_v2_quant",
    ]

    private func labeler(_ golden: Golden) -> ImageLabeler {
        Labeler.make(
            LocalModel(
                path: TestPaths.shared.appendingPathComponent(golden.model).path,
                labelsPath: TestPaths.shared.appendingPathComponent(golden.labelsFile).path))
    }

    private func image(_ entry: Golden.Entry) -> VisionImage {
        VisionImage(contentsOfFile: TestPaths.shared.appendingPathComponent(entry.image).path)
    }

    @Test("the first label, where all methods and engines agree on it", arguments: models)
    func first(model: String) throws {
        let golden = try Golden(model)
        let labeler = labeler(golden)
        let entries = golden.entries.filter(\.top1Agrees)
        #expect(entries.count >= 10)
        for entry in entries {
            let label = try labeler.results(in: image(entry)).first
            #expect(label?.index == entry.labels.first?.index, "\(entry.image)")
            #expect(label?.text == entry.labels.first?.label, "\(entry.image)")
        }
    }

    @Test("every score of a lossless picture of the model's own size", arguments: models)
    func exact(model: String) throws {
        let golden = try Golden(model)
        let labeler = labeler(golden)
        let tolerance: Float = model.contains("float") ? 1e-5 : 1.0 / 256
        let entries = golden.entries.filter(\.isExact)
        #expect(!entries.isEmpty)
        for entry in entries {
            let found = try labeler.results(in: image(entry))
            let scores = Dictionary(uniqueKeysWithValues: found.map { ($0.index, $0.confidence) })
            #expect(
                zip(found, entry.labels).allSatisfy { abs($0.confidence - $1.score) <= tolerance }, "\(entry.image)")
            // A label may be missing where many share the lowest score.
            let known = entry.labels.filter { scores[$0.index] != nil }
            #expect(known.count >= min(5, entry.labels.count) - 1, "\(entry.image)")
            for label in known {
                #expect(abs(scores[label.index, default: -1] - label.score) <= tolerance, "\(entry.image)")
            }
        }
    }

    @Test("labels that the model file itself carries", arguments: ["mobilenet_v1_float", "mobilenet_v2_quant"])
    func ownLabels(model: String) throws {
        let golden = try Golden(model)
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Data(contentsOf: TestPaths.shared.appendingPathComponent(golden.model)), to: "model.tflite")
        let labeler = Labeler.make(LocalModel(path: path), maxCount: 1)
        let entry = try #require(golden.entries.first { $0.isExact && $0.top1Agrees })
        #expect(try labeler.results(in: image(entry)).first?.text == entry.labels.first?.label)
    }
}
