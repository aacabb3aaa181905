import Foundation
import HearthTestSupport

/// The golden results of the flower model, for pictures in formats that this version reads.
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

    /// Pictures whose first label does not depend on engine or resizing.
    static func photos() throws -> [Photo] { try all { $0.topOneAgrees } }

    /// Lossless pictures that already have the model's input size.
    static func exactPictures() throws -> [Photo] {
        try all { $0.image.hasPrefix("images/exact/") && $0.image.hasSuffix("_224.png") }
    }

    private static func all(where isWanted: (File.Entry) -> Bool) throws -> [Photo] {
        let golden = TestPaths.shared.appendingPathComponent("goldens/classify_flowers_automl.json")
        let entries = try JSONDecoder().decode(File.self, from: Data(contentsOf: golden)).images
        // A picture with transparency has several entries, one for each way to flatten it.
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
