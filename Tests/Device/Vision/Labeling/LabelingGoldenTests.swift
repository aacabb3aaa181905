import Foundation
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("Golden labels of the shared data", .enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct LabelingGoldenTests {
    @Test(
        "photos decoded in full and sampled plainly, as for the goldens: the first label, and scores as one method has them",
        arguments: LabelingGolden.models)
    func photos(model: String) throws {
        let golden = try LabelingGolden(model)
        let labeler = golden.labeler(.bilinear)
        #expect(golden.entries.count >= 30)
        for entry in golden.entries {
            let labels = try labeler.results(in: entry.picture())
            if entry.top1Agrees {
                #expect(labels.first?.index == entry.labels.first?.index, "\(entry.image)")
                #expect(labels.first?.text == entry.labels.first?.label, "\(entry.image)")
            }
            let scores = Dictionary(uniqueKeysWithValues: labels.map { ($0.index, $0.confidence) })
            let distance = entry.results.values.map(scores.distance(to:)).min() ?? .infinity
            #expect(distance <= 0.08, "\(entry.image)")
        }
    }

    @Test("every score of a lossless image of the model's own size", arguments: LabelingGolden.models)
    func exact(model: String) throws {
        let golden = try LabelingGolden(model)
        let labeler = golden.labeler
        let tolerance: Float = model.contains("float") ? 1e-5 : 1.0 / 256
        let entries = golden.entries.filter(\.isExact)
        #expect(!entries.isEmpty)
        for entry in entries {
            let scores = try labeler.scores(entry.picture())
            #expect(scores.distance(to: entry.labels) <= tolerance, "\(entry.image)")
        }
    }

    /// Fewer pixels are not worse ones: a scaled decode is nearer to the methods that average when they shrink. So it is held
    /// against the nearest of them, as the full decode is.
    @Test(
        "scaled decode: the first label where all methods agree on it, and scores about as one of them has them",
        arguments: LabelingGolden.models)
    func scaledDecode(model: String) throws {
        let golden = try LabelingGolden(model)
        let labeler = golden.labeler
        var distances: [Float] = []
        for entry in golden.entries {
            let labels = try labeler.results(in: entry.picture(allowsScaledDecode: true))
            if entry.top1Agrees { #expect(labels.first?.index == entry.labels.first?.index, "\(entry.image)") }
            let scores = Dictionary(uniqueKeysWithValues: labels.map { ($0.index, $0.confidence) })
            distances.append(entry.results.values.map(scores.distance(to:)).min() ?? .infinity)
        }
        distances.sort()
        #expect(distances[distances.count * 9 / 10] <= 0.08)
        #expect(distances.last ?? 1 <= 0.15)
    }

    @Test(
        "a photo stored in any of the eight orientations has the same labels", arguments: LabelingGolden.models,
        ["parrot", "pets"])
    func orientations(model: String, photo: String) throws {
        let labeler = try LabelingGolden(model).labeler
        let pictures = (1...8).map { orientation in
            VisionImage(
                contentsOfFile: TestPaths.shared.appendingPathComponent(
                    "images/exif/\(photo)_orient_\(orientation).jpg"
                )
                .path)
        }
        let first = try labeler.results(in: pictures[0])
        let scores = try labeler.scores(pictures[0])
        for picture in pictures {
            #expect(try labeler.results(in: picture).first?.text == first.first?.text)
            // They were compressed one by one, so their pixels differ a little; the goldens themselves by up to 0.12.
            #expect(scores.distance(to: try labeler.scores(picture)) <= 0.15)
        }
    }

    @Test("labels that the model file itself carries", arguments: ["mobilenet_v1_float", "mobilenet_v2_quant"])
    func ownLabels(model: String) throws {
        let golden = try LabelingGolden(model)
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Data(contentsOf: TestPaths.shared.appendingPathComponent(golden.model)), to: "model.tflite")
        let labeler = Labeler.make(LocalModel(path: path), maxCount: 1)
        let entry = try #require(golden.entries.first { $0.isExact && $0.top1Agrees })
        #expect(try labeler.results(in: entry.picture()).first?.text == entry.labels.first?.label)
    }
}

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
        /// What was done with transparency; nil for images without.
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

    /// Of the images that lie in the shared data, with transparency treated as this package does.
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
