import Foundation
import HearthImaging
import Testing

@Suite("WebP: damage, animations, limits")
struct WebPTests {
    private static let partial = ImageDecodeOptions(allowPartial: true)

    @Test(
        "a file cut at any byte is an error, never an image",
        arguments: ["lossless.webp", "lossy_alpha.webp", "orientation_6.webp", "animated.webp"])
    func cutAnywhere(name: String) throws {
        let whole = try ImageFixtures.data(name)
        for length in 1..<whole.count {
            #expect(decodingErrorCode(whole.prefix(length)) == (length < 12 ? .notAnImage : .truncated))
        }
    }

    @Test("what is left of a cut file is returned on request", arguments: ["tall_lossy.webp", "tall_lossless.webp"])
    func partialImage(name: String) throws {
        let whole = try ImageFixtures.data(name)
        let image = try ImageDecoder.decode(whole.prefix(whole.count * 9 / 10), options: Self.partial)
        #expect(image.isPartial)
        let (left, complete) = (image.pixels.bytes, try ImageDecoder.decode(whole).pixels.bytes)
        #expect(left.count == complete.count && left != complete)
        #expect(left.prefix(16 * 3) == complete.prefix(16 * 3))
        #expect(decodingErrorCode(whole.prefix(40), Self.partial) == .truncated)
    }

    @Test("an image whose orientation is cut off is partial")
    func cutOrientation() throws {
        let whole = try ImageFixtures.data("orientation_6.webp")
        let image = try ImageDecoder.decode(whole.prefix(whole.count - 20), options: Self.partial)
        #expect(image.isPartial && image.orientation == .up)
        #expect(try image.pixels.bytes == ImageDecoder.decode(whole).pixels.bytes)
    }

    @Test("damage inside the pixels is an error")
    func damaged() throws {
        var data = try ImageFixtures.data("lossy.webp")
        data[20 + 3] = 0  // the start code of the key frame
        #expect(decodingErrorCode(data) == .corrupt)
        #expect(decodingErrorCode(data, Self.partial) == .corrupt)
    }

    @Test("an animation needs a frame that fits on its canvas")
    func frames() throws {
        let data = try ImageFixtures.data("animated.webp")
        let frame = try #require(data.range(of: Data("ANMF".utf8))).lowerBound
        #expect(decodingErrorCode(data.replacing(frame, with: Data("NONE".utf8))) == nil)  // the second is taken
        let without = data[..<frame].replacing(4, with: ImageBuilder.littleEndian(UInt32(frame - 8)))
        #expect(decodingErrorCode(without) == .corrupt)
        #expect(decodingErrorCode(data.replacing(frame + 8, with: Data([1]))) == .corrupt)  // two pixels to the right
        #expect(decodingErrorCode(data.replacing(frame + 11, with: Data([0, 0, 0xFF]))) == .corrupt)
    }

    @Test("limits hold for stills and for an animation's canvas", arguments: ["lossless.webp", "animated.webp"])
    func limits(name: String) throws {
        func code(_ limits: ImageLimits) throws -> ImageError.Code? {
            decodingErrorCode(try ImageFixtures.data(name), ImageDecodeOptions(limits: limits, allowPartial: true))
        }
        #expect(try code(ImageLimits(maxPixels: 77, maxSide: 11)) == nil)
        #expect(try code(ImageLimits(maxPixels: 76)) == .tooLarge)
        #expect(try code(ImageLimits(maxSide: 10)) == .tooLarge)
    }

    @Test("a canvas of 16 million pixels a side is refused")
    func hugeCanvas() throws {
        let data = try ImageFixtures.data("animated.webp")
        let huge = data.replacing(24, with: Data(repeating: 0xFF, count: 6))
        #expect(decodingErrorCode(huge) == .tooLarge)
        let unlimited = ImageDecodeOptions(limits: ImageLimits(maxPixels: .max, maxSide: .max))
        #expect(decodingErrorCode(huge, unlimited) == .outOfMemory)
    }
}
