import Foundation
import HearthImaging
import HearthTestSupport
import Testing

/// The files that `make_images.py` and `make_formats.py` in `Tests/Fixtures/images` made, and what they say of them.
enum ImageFixtures {
    struct Expectation: Decodable {
        let width: Int
        let height: Int
        let orientation: UInt8
        let rgb: String

        var bytes: [UInt8] {
            let digits = Array(rgb.utf8)
            return stride(from: 0, to: digits.count, by: 2).map { offset in
                UInt8(String(decoding: digits[offset..<(offset + 2)], as: UTF8.self), radix: 16) ?? 0
            }
        }
    }

    static let folder = TestPaths.fixtures.appendingPathComponent("images")

    static let expectations: [String: Expectation] = ["expected.json", "expected_formats.json"].reduce(into: [:]) {
        expectations, name in
        guard let data = try? data(name),
            let more = try? JSONDecoder().decode([String: Expectation].self, from: data)
        else { return }
        expectations.merge(more) { first, _ in first }
    }

    static let names = expectations.keys.sorted()

    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    static func image(_ name: String) throws -> DecodedImage {
        try ImageDecoder.decode(data(name))
    }
}

extension PixelImage {
    var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension ImageTensorWriter {
    /// The tensor's bytes.
    func bytes(
        _ image: DecodedImage, orientation: ImageOrientation? = nil, region: PixelRect? = nil
    ) throws(ImageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xAA, count: byteCount)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(ImageError) in
                try write(image, orientation: orientation, region: region, into: buffer)
            }
        }
        _ = try result.get()
        return bytes
    }

    /// What `write` returns.
    func mapping(
        _ image: DecodedImage, orientation: ImageOrientation? = nil, region: PixelRect? = nil
    ) throws(ImageError) -> ImageMapping {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 1)
        defer { buffer.deallocate() }
        return try write(image, orientation: orientation, region: region, into: buffer)
    }

    /// The values of a float tensor.
    func floats(_ image: DecodedImage) throws(ImageError) -> [Float] {
        try bytes(image).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}

/// Runs `body` and returns the code of the image error that it throws, or nil.
func imageErrorCode(_ body: () throws -> Void) -> ImageError.Code? {
    do {
        try body()
        return nil
    } catch let error as ImageError {
        #expect(!error.message.isEmpty && !error.message.contains("\n"))
        return error.code
    } catch {
        Issue.record("not an ImageError: \(error)")
        return nil
    }
}

/// Decodes and returns the error's code, or nil when there was none.
func decodingErrorCode(_ data: Data, _ options: ImageDecodeOptions = ImageDecodeOptions()) -> ImageError.Code? {
    imageErrorCode { _ = try ImageDecoder.decode(data, options: options) }
}
