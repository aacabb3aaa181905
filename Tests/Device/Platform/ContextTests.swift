import Foundation
import HearthPlatform
import Testing

@Suite("A bitmap context")
struct ContextTests {
    private static func make(
        _ info: UInt32, data: UnsafeMutableRawPointer? = nil, width: Int = 2, height: Int = 1, bits: Int = 8,
        bytesPerRow: Int = 0
    ) -> CGContext? {
        CGContext(
            data: data, width: width, height: height, bitsPerComponent: bits, bytesPerRow: bytesPerRow,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: info)
    }

    private static let xrgb = CGImageAlphaInfo.noneSkipFirst.rawValue

    @Test(
        "the order of the bytes in memory",
        arguments: [
            (.noneSkipFirst, [], [255, 1, 2, 3]),
            (.premultipliedFirst, .byteOrder32Big, [255, 1, 2, 3]),
            (.noneSkipLast, [], [1, 2, 3, 255]),
            (.premultipliedLast, .byteOrder32Big, [1, 2, 3, 255]),
            (.noneSkipFirst, .byteOrder32Little, [3, 2, 1, 255]),
            (.premultipliedFirst, .byteOrder32Little, [3, 2, 1, 255]),
        ] as [(CGImageAlphaInfo, CGBitmapInfo, [UInt8])])
    func layouts(alpha: CGImageAlphaInfo, order: CGBitmapInfo, expected: [UInt8]) throws {
        let context = try #require(Self.make(alpha.rawValue | order.rawValue, width: 1))
        #expect(context.bytes == [0, 0, 0, 0], "starts zeroed")
        let pixel = try #require(CGImage(rgb: Data([1, 2, 3]), width: 1, height: 1))
        context.draw(pixel, in: CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(context.bytes == expected)
        #expect(context.alphaInfo == alpha)

        // What was drawn can be drawn again, from any layout into another.
        let image = try #require(context.makeImage())
        #expect(image.alphaInfo == alpha)
        let copy = CGContext.xrgb(1, 1)
        copy.draw(image, in: CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(copy.bytes == [255, 1, 2, 3])
    }

    @Test("what it cannot be is nil")
    func refusals() {
        let alphas: [CGImageAlphaInfo] = [.none, .first, .last, .alphaOnly]
        for alpha in alphas { #expect(Self.make(alpha.rawValue) == nil) }
        for info in [1 << 8, 1 << 12, 3 << 12, 5 << 12, 7 << 12, 1 << 31, 0x10] as [UInt32] {
            #expect(Self.make(Self.xrgb | info) == nil)
        }
        #expect(Self.make(CGImageAlphaInfo.noneSkipLast.rawValue | CGBitmapInfo.byteOrder32Little.rawValue) == nil)
        #expect(Self.make(.max) == nil)
        for bits in [0, 1, 5, 16, 32, -8, .min] { #expect(Self.make(Self.xrgb, bits: bits) == nil) }
        for bytes in [7, 1, -8, .min] { #expect(Self.make(Self.xrgb, bytesPerRow: bytes) == nil) }
    }

    @Test("sizes that are none, or that cannot be counted", arguments: [0, -1, .min, .max, .max / 4, 1 << 62])
    func sizes(side: Int) {
        #expect(Self.make(Self.xrgb, width: side) == nil)
        #expect(Self.make(Self.xrgb, height: side) == nil)
        #expect(Self.make(Self.xrgb, width: side, height: side) == nil)
        #expect(Self.make(Self.xrgb, height: 3, bytesPerRow: .max) == nil)
    }

    @Test("the caller's memory is drawn into in place, padding left alone, and never freed")
    func callersMemory() throws {
        var memory = [UInt8](repeating: 9, count: 12 + 8)
        try memory.withUnsafeMutableBytes { memory in
            let start = memory.baseAddress
            var context = Self.make(Self.xrgb, data: start, width: 2, height: 2, bytesPerRow: 12)
            #expect(context?.data == start)
            #expect(context?.bytesPerRow == 12)
            let image = Picture.numbered(2, 2)
            context?.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 2))
            let copy = try #require(context?.makeImage())
            context = nil
            #expect(
                Array(memory) == [255, 0, 0, 0, 255, 10, 0, 10, 9, 9, 9, 9, 255, 0, 10, 10, 255, 10, 10, 20])
            #expect(copy.bytesPerRow == 8)
            memory[1] = 77
            #expect(copy.bytes[1] == 0, "an image is a copy")
        }
    }

    @Test("an image made from a context does not change with it, and outlives it")
    func makeImage() throws {
        var context: CGContext? = .xrgb(2, 1)
        let empty = try #require(context?.makeImage())
        let image = Picture.gray([7, 8], width: 2)
        context?.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 1))
        let drawn = try #require(context?.makeImage())
        context = nil
        #expect(Array(empty.bytes) == [UInt8](repeating: 0, count: 8))
        #expect(Array(drawn.bytes) == [255, 7, 7, 7, 255, 8, 8, 8])
        #expect((drawn.width, drawn.height, drawn.bitsPerPixel, drawn.bitsPerComponent) == (2, 1, 32, 8))
    }
}
