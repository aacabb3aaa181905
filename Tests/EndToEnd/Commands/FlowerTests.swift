import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// A real model over real photos, held against what the field's own engine says of them.
    @Suite(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    struct FlowerTests {
        private struct Labeled: Decodable {
            struct Label: Decodable {
                var text: String
                var confidence: Float
                var index: Int
            }
            var image: String
            var labels: [Label]?
            var error: String?
        }

        private static let bundle = TestPaths.shared.appendingPathComponent("models/flowers_automl").path

        /// What `hearth label` says of `pictures`, in their order.
        private func label(_ model: String, _ pictures: [String], server: ServerProcess? = nil) throws -> [Labeled] {
            let arguments = ["label", model] + pictures + ["--json", "--threshold", "0"]
            let ending = try server?.hearth(arguments) ?? HearthProgram.run(arguments)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            let results = try ending.output.split(separator: "\n").map { line in
                try WireJSON.decode(Labeled.self, from: line.utf8)
            }
            #expect(results.map(\.image) == pictures)
            return results
        }

        private func expectGoldenLabels(_ model: String, server: ServerProcess? = nil) throws {
            let photos = try FlowerGoldens.photos()
            #expect(photos.count >= 10)
            let results = try label(model, photos.map(\.path), server: server)
            for (photo, result) in zip(photos, results) {
                #expect(result.labels?.first?.text == photo.topLabel, "\(photo.path)")
            }
        }

        @Test func throughTheFolder() throws {
            try expectGoldenLabels(Self.bundle)
        }

        @Test func throughThePackedFile() throws {
            let folder = try TemporaryFolder()
            let packed = folder.path + "/flowers.tflite"
            #expect(try HearthProgram.run(["pack", Self.bundle, "--output", packed]).exitCode == 0)
            try expectGoldenLabels(packed)
        }

        @Test func byNameFromARunningServer() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "flowers", Self.bundle, "--publish").exitCode == 0)
            try expectGoldenLabels("flowers", server: server)
        }

        /// No decoder and no resizing in the way: every score within one step of the model's quantised output.
        @Test func scoresOnExactImages() throws {
            let pictures = try FlowerGoldens.exactImages()
            #expect(pictures.count >= 4)
            let results = try label(Self.bundle, pictures.map(\.path))
            for (picture, result) in zip(pictures, results) {
                let labels = try #require(result.labels)
                #expect(labels.count == picture.scores.count)
                for label in labels {
                    let golden = try #require(picture.scores[label.index])
                    #expect(abs(label.confidence - golden) <= 1.0 / 256 + 1e-6, "\(picture.path) \(label.text)")
                }
            }
        }
    }
}

/// The golden results of the flower model, for images in formats that this version reads.
enum FlowerGoldens {
    struct Photo {
        var path: String
        var topLabel: String
        /// Score by class number, from plain bilinear resizing and the default engine.
        var scores: [Int: Float]
    }

    private struct File: Decodable {
        struct Entry: Decodable {
            struct Score: Decodable {
                var index: Int
                var label: String
                var score: Float
            }
            var image: String
            var topOneAgrees: Bool
            var results: [String: [Score]]

            enum CodingKeys: String, CodingKey {
                case image
                case topOneAgrees = "top1_agrees"
                case results
            }
        }
        var images: [Entry]
    }

    /// Images whose first label does not depend on engine or resizing.
    static func photos() throws -> [Photo] { try all { $0.topOneAgrees } }

    /// Lossless images that already have the model's input size.
    static func exactImages() throws -> [Photo] {
        try all { $0.image.hasPrefix("images/exact/") && $0.image.hasSuffix("_224.png") }
    }

    private static func all(where isWanted: (File.Entry) -> Bool) throws -> [Photo] {
        let golden = TestPaths.shared.appendingPathComponent("goldens/classify_flowers_automl.json")
        let entries = try JSONDecoder().decode(File.self, from: Data(contentsOf: golden)).images
        // An image with transparency has several entries, one for each way to flatten it.
        let counts = Dictionary(grouping: entries, by: \.image).mapValues(\.count)
        return entries.filter { isWanted($0) && counts[$0.image] == 1 && isReadable($0.image) }.compactMap { entry in
            guard let scores = entry.results["half_pixel_bilinear"], let first = scores.first else { return nil }
            return Photo(
                path: TestPaths.shared.appendingPathComponent(entry.image).path, topLabel: first.label,
                scores: Dictionary(uniqueKeysWithValues: scores.map { ($0.index, $0.score) }))
        }
    }

    private static func isReadable(_ image: String) -> Bool {
        ["jpg", "jpeg", "png"].contains { image.hasSuffix("." + $0) }
    }
}
