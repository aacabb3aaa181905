import Foundation
import HearthImaging
import HearthTestSupport
import Testing

/// Reads the golden files of the shared data.
enum GoldenData {
    struct Image: Decodable, CustomTestStringConvertible {
        let image: String
        let format: String
        let storedSize: [Int]
        let uprightSize: [Int]
        let exifOrientation: UInt8?
        let lossless: Bool
        let rgbSHA256: String
        let grid4x4: [[Double]]?

        var testDescription: String { image }

        enum CodingKeys: String, CodingKey {
            case image, format, lossless, grid4x4
            case storedSize = "stored_size"
            case uprightSize = "upright_size"
            case exifOrientation = "exif_orientation"
            case rgbSHA256 = "rgb_sha256"
        }
    }

    struct Classification {
        struct Entry: Decodable {
            let scope: String
            let image: String
            let alpha: String?
            let hashes: [String: String]

            var halfPixelBilinear: String { hashes["half_pixel_bilinear"] ?? "" }

            enum CodingKeys: String, CodingKey {
                case scope, image, alpha
                case hashes = "input_sha256"
            }
        }

        let width: Int
        let height: Int
        let entries: [Entry]
    }

    static let images: [Image] = {
        struct File: Decodable { let images: [Image] }
        let file = try? JSONDecoder().decode(File.self, from: read("goldens/images.json"))
        return file?.images ?? []
    }()

    static let bad: [(String, ImageError.Code)] = [
        ("images/bad/bad_crc.png", .corrupt), ("images/bad/bomb_20000x20000.png", .tooLarge),
        ("images/bad/empty.jpg", .empty), ("images/bad/header_only.jpg", .truncated),
        ("images/bad/text.jpg", .notAnImage), ("images/bad/truncated.jpg", .truncated),
        ("images/bad/truncated.png", .truncated),
    ]

    static func decode(
        _ path: String, _ options: ImageDecodeOptions = ImageDecodeOptions()
    ) throws -> DecodedImage {
        try ImageDecoder.decode(
            contentsOfFile: TestPaths.shared.appendingPathComponent(path).path, options: options)
    }

    /// The entries over files whose alpha, if any, was dropped.
    static func classification(_ model: String) throws -> Classification {
        struct Input: Decodable { let shape: [Int] }
        struct File: Decodable {
            let input: Input
            let images: [Classification.Entry]
        }
        let file = try JSONDecoder().decode(File.self, from: read("goldens/classify_\(model).json"))
        let names = Set(images.map(\.image))
        let entries = file.images.filter { entry in
            entry.scope == "shared" && names.contains(entry.image) && (entry.alpha ?? "dropped") == "dropped"
        }
        return Classification(width: file.input.shape[2], height: file.input.shape[1], entries: entries)
    }

    static func hasSamePixels(_ name: String, _ image: DecodedImage) throws -> Bool {
        let golden = try #require(images.first { $0.image == name })
        return try golden.lossless || SHA256Tool.hash([image.upright().bytes]) == [golden.rgbSHA256]
    }

    /// Mean red, green, blue of the 16 cells of a 4 x 4 grid, row by row.
    static func grid(_ image: PixelImage) -> [Double] {
        image.withUnsafeBytes { bytes in
            (0..<16).flatMap { cell in
                let rows = (image.height * (cell / 4) / 4)..<(image.height * (cell / 4 + 1) / 4)
                let columns = (image.width * (cell % 4) / 4)..<(image.width * (cell % 4 + 1) / 4)
                var sums = SIMD3<Int>()
                for y in rows {
                    for x in columns {
                        let place = (y * image.width + x) * 3
                        sums &+= SIMD3(Int(bytes[place]), Int(bytes[place + 1]), Int(bytes[place + 2]))
                    }
                }
                return (0..<3).map { Double(sums[$0]) / Double(max(rows.count * columns.count, 1)) }
            }
        }
    }

    private static func read(_ path: String) throws -> Data {
        try Data(contentsOf: TestPaths.shared.appendingPathComponent(path))
    }
}
