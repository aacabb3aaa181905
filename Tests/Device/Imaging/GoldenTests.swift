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
        // Another JPEG library may round differently; the means of 16 cells then tell a right picture from a wrong one.
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

    @Test("what broken files give where partial pictures are allowed")
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
