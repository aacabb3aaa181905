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
        @Test func scoresOnExactPictures() throws {
            let pictures = try FlowerGoldens.exactPictures()
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
