import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("Photos of the shared data", .enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
struct GoldenTests {
    private static let images = TestPaths.hasSharedData ? GoldenData.images : []

    @Test("pixels", arguments: images)
    func pixels(golden: GoldenData.Image) throws {
        let image = try GoldenData.decode(golden.image)
        let upright = try image.upright()
        #expect([image.pixels.width, image.pixels.height] == golden.storedSize)
        #expect([upright.width, upright.height] == golden.uprightSize)
        #expect(image.orientation.rawValue == golden.exifOrientation ?? 1)
        let isExact = try SHA256Tool.hash([upright.bytes]) == [golden.rgbSHA256]
        // Another JPEG library may round differently; the means of 16 cells then tell a right image from a wrong one.
        guard !isExact else { return }
        #expect(!golden.lossless)
        let grid = golden.grid4x4 ?? []
        let differences = zip(GoldenData.grid(upright), grid.joined()).map { abs($0 - $1) }
        #expect(differences.allSatisfy { $0 <= 3 })
        #expect(differences.count == grid.count * 3)
    }

    @Test("broken files", arguments: TestPaths.hasSharedData ? GoldenData.bad : [])
    func bad(name: String, code: ImageError.Code) {
        #expect(imageErrorCode { _ = try GoldenData.decode(name) } == code)
    }

    @Test("what broken files give where partial images are allowed")
    func badButPartial() throws {
        let partial = GoldenData.bad.filter { name, _ in
            (try? GoldenData.decode(name, ImageDecodeOptions(allowPartial: true)))?.isPartial == true
        }
        #expect(
            partial.map(\.0).map { ($0 as NSString).lastPathComponent } == [
                "bad_crc.png", "truncated.jpg", "truncated.png",
            ])
    }

    @Test(
        "model inputs are equal to the byte", arguments: ["flowers_automl", "mobilenet_v1_small", "mobilenet_v2_quant"])
    func modelInputs(model: String) throws {
        try checkModelInputs(model) { bytes in bytes }
    }

    @Test("model inputs of the float model are equal to the byte before, and to one step after normalization")
    func floatModelInputs() throws {
        // The goldens divide by 127.5; the writer multiplies by 1/127.5, which may differ in the last bit.
        try checkModelInputs("mobilenet_v1_float") { bytes in
            bytes.map { (Float($0) - 127.5) / 127.5 }.withUnsafeBytes { Array($0) }
        }
        let writer = try ImageTensorWriter(width: 224, height: 224, format: .float32(mean: [127.5], std: [127.5]))
        let plain = try ImageTensorWriter(width: 224, height: 224, format: .uint8)
        let image = try GoldenData.decode("images/daisy.jpeg")
        let pairs = zip(try writer.floats(image), try plain.bytes(image).map { (Float($0) - 127.5) / 127.5 })
        #expect(pairs.allSatisfy { abs($0 - $1) <= $1.ulp })
    }

    /// Compares the hashes of all inputs whose pixels are those that the goldens were made from: all lossless files, and
    /// the JPEG files that the library here decodes to the same bytes as the one that made the goldens.
    private func checkModelInputs(_ model: String, values: ([UInt8]) -> [UInt8]) throws {
        let goldens = try GoldenData.classification(model)
        let writer = try ImageTensorWriter(
            width: goldens.width, height: goldens.height, format: .uint8, resampling: .bilinear)
        var expected: [String] = []
        var tensors: [[UInt8]] = []
        for entry in goldens.entries {
            let image = try GoldenData.decode(entry.image)
            guard try GoldenData.hasSamePixels(entry.image, image) else { continue }
            tensors.append(values(try writer.bytes(image)))
            expected.append(entry.halfPixelBilinear)
        }
        #expect(try SHA256Tool.hash(tensors) == expected)
        #expect(expected.count >= 12)
    }
}

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

/// SHA-256 by the `sha256sum` program, an oracle that shares no code with the package.
enum SHA256Tool {
    static func hash(_ inputs: [[UInt8]]) throws -> [String] {
        let folder = try TemporaryFolder()
        let paths = try inputs.enumerated().map { index, bytes in try folder.write(bytes, to: "\(index)") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = paths
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map { String($0.prefix(64)) }
    }
}
