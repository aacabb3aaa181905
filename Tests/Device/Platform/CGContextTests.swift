import Foundation
import HearthPlatform
import Testing

@Suite("A bitmap context")
struct CGContextTests {
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
            let image = TestImage.numbered(2, 2)
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
        let image = TestImage.gray([7, 8], width: 2)
        context?.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 1))
        let drawn = try #require(context?.makeImage())
        context = nil
        #expect(Array(empty.bytes) == [UInt8](repeating: 0, count: 8))
        #expect(Array(drawn.bytes) == [255, 7, 7, 7, 255, 8, 8, 8])
        #expect((drawn.width, drawn.height, drawn.bitsPerPixel, drawn.bitsPerComponent) == (2, 1, 32, 8))
    }
}

@Suite("Drawing an image into a context")
struct DrawingTests {
    @Test("at its own size it arrives byte for byte")
    func identity() {
        let (width, height) = (13, 7)
        let image = TestImage.numbered(width, height)
        let context = CGContext.xrgb(width, height)
        context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        let colors = context.bytes.enumerated().filter { $0.offset % 4 != 0 }.map(\.element)
        #expect(colors == Array(image.bytes))
    }

    @Test("the origin is at the bottom left, and rows in memory start at the top")
    func origin() {
        let context = CGContext.xrgb(3, 3)
        context.draw(TestImage.gray([1, 2, 3, 4], width: 2), in: CGRect(x: 1, y: 0, width: 2, height: 2))
        #expect(context.reds == [nil, nil, nil, nil, 1, 2, nil, 3, 4])
    }

    @Test(
        "what lies outside is cut off",
        arguments: [
            (CGRect(x: -1, y: -1, width: 3, height: 3), [2, 3, 5, 6]),
            (CGRect(x: 0, y: 0, width: 3, height: 3), [4, 5, 7, 8]),
            (CGRect(x: -1, y: 0, width: 3, height: 3), [5, 6, 8, 9]),
            (CGRect(x: 1, y: 1, width: 3, height: 3), [nil, 7, nil, nil]),
            (CGRect(x: 2, y: 0, width: 3, height: 3), [nil, nil, nil, nil]),
            (CGRect(x: 0, y: -3, width: 3, height: 3), [nil, nil, nil, nil]),
        ] as [(CGRect, [UInt8?])])
    func clipping(rect: CGRect, expected: [UInt8?]) {
        let context = CGContext.xrgb(2, 2)
        context.draw(TestImage.gray(Array(1...9), width: 3), in: rect)
        #expect(context.reds == expected)
    }

    @Test("negative sides count backwards from the origin")
    func negativeSides() {
        let context = CGContext.xrgb(2, 2)
        context.draw(TestImage.gray([1, 2, 3, 4], width: 2), in: CGRect(x: 2, y: 2, width: -2, height: -2))
        #expect(context.reds == [1, 2, 3, 4])
    }

    @Test("scaling down takes all pixels into account")
    func smaller() {
        // Single bright columns vanish where only neighbours of the target's centre are looked at.
        let stripes = (0..<64).map { UInt8($0 % 8 == 1 ? 240 : 0) }
        let context = CGContext.xrgb(8, 1)
        context.draw(TestImage.gray(stripes, width: 64), in: CGRect(x: 0, y: 0, width: 8, height: 1))
        for red in context.reds.dropFirst().dropLast() {
            #expect((28...32).contains(red ?? 0), "240 / 8 = 30, but \(String(describing: red))")
        }
    }

    @Test("scaling up is bilinear between the centres")
    func larger() {
        let context = CGContext.xrgb(4, 1)
        context.draw(TestImage.gray([0, 200], width: 2), in: CGRect(x: 0, y: 0, width: 4, height: 1))
        #expect(context.reds == [0, 50, 150, 200])
    }

    @Test("white stays white and black black at any scale", arguments: [1, 2, 3, 5, 7, 31, 100])
    func flat(side: Int) {
        for value in [0, 255] as [UInt8] {
            let context = CGContext.xrgb(side, side)
            context.draw(
                TestImage.gray(.init(repeating: value, count: 9 * 11), width: 9),
                in: CGRect(x: 0, y: 0, width: side, height: side))
            #expect(context.reds.allSatisfy { $0 == value })
        }
    }

    @Test("rectangles without area, or that are not finite, draw nothing")
    func nothing() {
        let context = CGContext.xrgb(4, 4)
        let odd: [CGFloat] = [.nan, .infinity, -.infinity, .signalingNaN]
        var rects = odd.flatMap { value in
            [
                CGRect(x: value, y: 0, width: 1, height: 1), CGRect(x: 0, y: value, width: 1, height: 1),
                CGRect(x: 0, y: 0, width: value, height: 1), CGRect(x: 0, y: 0, width: 1, height: value),
            ]
        }
        rects += [
            .zero, .null, CGRect(x: 0, y: 0, width: 0, height: 4), CGRect(x: 0, y: 0, width: 4, height: 0),
            CGRect(x: CGFloat.greatestFiniteMagnitude, y: 0, width: 4, height: 4),
            CGRect(x: 0, y: -CGFloat.greatestFiniteMagnitude, width: 4, height: 4),
        ]
        for rect in rects { context.draw(TestImage.numbered(3, 3), in: rect) }
        #expect(context.bytes.allSatisfy { $0 == 0 })
    }

    @Test("enormous and tiny rectangles neither trap nor take long")
    func extremes() {
        let context = CGContext.xrgb(5, 5)
        let huge = CGFloat.greatestFiniteMagnitude
        let tiny = CGFloat.leastNonzeroMagnitude
        for side in [1e6, 1e18, 1e30, 1e300, huge] {
            for share in [0, 0.25, 0.5, 1] as [CGFloat] {
                context.draw(
                    TestImage.numbered(3, 3), in: CGRect(x: -side * share, y: -side * share, width: side, height: side))
            }
        }
        #expect(context.reds.allSatisfy { $0 != nil })
        for origin in [0, 0.5, 2.5, 4.999] as [CGFloat] {
            for side in [tiny, 1e-300, 1e-9] {
                context.draw(TestImage.numbered(3, 3), in: CGRect(x: origin, y: origin, width: side, height: side))
                context.draw(TestImage.numbered(9, 1), in: CGRect(x: origin, y: 0, width: side, height: 5))
            }
        }
    }
}
