public import Foundation

/// The flower bundle of the shared data, and what other engines say of its photos.
public enum Flowers {
    public struct Photo: Sendable {
        public var path: String
        public var label: String
    }

    private struct Goldens: Decodable {
        struct Entry: Decodable {
            struct Score: Decodable {
                var label: String
            }
            var image: String
            var agrees: Bool
            var results: [String: [Score]]

            enum CodingKeys: String, CodingKey {
                case image
                case agrees = "top1_agrees"
                case results
            }
        }
        var images: [Entry]
    }

    public static let bundle = TestPlaces.shared.appendingPathComponent("models/flowers_automl")

    /// Photos of flowers whose first label does not depend on engine or resizing.
    public static func photos() throws -> [Photo] {
        let file = TestPlaces.shared.appendingPathComponent("goldens/classify_flowers_automl.json")
        let entries = try JSONDecoder().decode(Goldens.self, from: Data(contentsOf: file)).images
        return entries.filter { $0.agrees && isFlower($0.image) }.compactMap { entry in
            entry.results["half_pixel_bilinear"]?.first.map {
                Photo(path: TestPlaces.shared.appendingPathComponent(entry.image).path, label: $0.label)
            }
        }
    }

    private static func isFlower(_ image: String) -> Bool {
        ["daisy.jpeg", "dandelion.jpg", "flower1.jpg", "roses.jpeg", "sunflower.jpg"].contains {
            image == "images/\($0)"
        }
    }
}
