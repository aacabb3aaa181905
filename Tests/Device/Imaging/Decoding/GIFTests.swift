import Foundation
import HearthImaging
import Testing

@Suite("GIF: damage, odd files, limits")
struct GIFTests {
    private static let partial = ImageDecodeOptions(allowPartial: true)

    @Test("a file cut before its first frame ends is an error; what follows is not needed")
    func cutAnywhere() throws {
        let whole = try ImageFixtures.data("animated.gif")
        let second = try #require(whole.range(of: Data([0x2C, 0, 0, 0, 0, 11, 0]), options: .backwards)).lowerBound
        for length in 1..<second {
            #expect(decodingErrorCode(whole.prefix(length)) == (length < 4 ? .notAnImage : .truncated))
        }
        let garbage = whole[..<second] + Data("nothing that a GIF may hold".utf8)
        for data in [whole[..<second], garbage] {
            #expect(try ImageDecoder.decode(data).pixels.bytes == ImageFixtures.image("animated.gif").pixels.bytes)
        }
    }

    @Test("what is left of a cut file is returned on request", arguments: ["tall.gif", "tall_interlaced.gif"])
    func partialImage(name: String) throws {
        let whole = try ImageFixtures.data(name)
        let image = try ImageDecoder.decode(whole.prefix(whole.count - 20), options: Self.partial)
        #expect(image.isPartial)
        let (left, complete) = (image.pixels.bytes, try ImageFixtures.image(name).pixels.bytes)
        #expect(left.count == complete.count && left != complete)
        #expect(left.prefix(11 * 3) == complete.prefix(11 * 3))
    }

    @Test("an image that ends early though the file goes on is damaged")
    func endsEarly() throws {
        let data = try ImageFixtures.data("colors_2.gif")
        let frame = try #require(data.range(of: Data([0x2C]))).lowerBound
        let higher = data.replacing(frame + 7, with: Data([200]))
        #expect(decodingErrorCode(higher) == .corrupt)
        let image = try ImageDecoder.decode(higher, options: Self.partial)
        #expect(image.isPartial && image.pixels.height == 200)
    }

    @Test("files without an image, a size or colours are damaged")
    func incomplete() throws {
        let data = try ImageFixtures.data("colors_2.gif")
        let frame = try #require(data.range(of: Data([0x2C]))).lowerBound
        #expect(decodingErrorCode(data[..<frame] + Data([0x3B])) == .corrupt)
        #expect(decodingErrorCode(data[..<frame] + Data([0x77])) == .corrupt)
        #expect(decodingErrorCode(data.replacing(frame + 5, with: Data([0, 0]))) == .corrupt)
        let colorless = data[..<10] + Data([0, 0, 0]) + data[frame...]
        #expect(decodingErrorCode(colorless, Self.partial) == .corrupt)
    }

    @Test("an index without a colour is black")
    func indexWithoutColor() throws {
        let data = try ImageFixtures.data("colors_16.gif")
        let frame = try #require(data.range(of: Data([0x2C]))).lowerBound
        // The same codes with two colours instead of sixteen.
        let fewer = data[..<10] + Data([0x80, 0, 0]) + data[13..<19] + data[frame...]
        let (left, complete) = (try ImageDecoder.decode(fewer).pixels.bytes, try ImageDecoder.decode(data).pixels.bytes)
        #expect(left.prefix(6) == complete.prefix(6))
        #expect(left[6..<33].allSatisfy { $0 == 0 })
    }

    @Test("limits hold for the canvas, which the frame may widen")
    func limits() throws {
        func code(_ name: String, _ limits: ImageLimits) throws -> ImageError.Code? {
            decodingErrorCode(try ImageFixtures.data(name), ImageDecodeOptions(limits: limits, allowPartial: true))
        }
        for name in ["colors_16.gif", "larger_frame.gif", "no_screen.gif"] {
            #expect(try code(name, ImageLimits(maxPixels: 77, maxSide: 11)) == nil)
            #expect(try code(name, ImageLimits(maxPixels: 76)) == .tooLarge)
            #expect(try code(name, ImageLimits(maxSide: 10)) == .tooLarge)
        }
        let data = try ImageFixtures.data("colors_2.gif")
        #expect(decodingErrorCode(data.replacing(6, with: Data(repeating: 0xFF, count: 4))) == .tooLarge)
        let frame = try #require(data.range(of: Data([0x2C]))).lowerBound
        #expect(decodingErrorCode(data.replacing(frame + 1, with: Data(repeating: 0xFF, count: 8))) == .tooLarge)
    }
}
