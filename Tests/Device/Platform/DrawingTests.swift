import Foundation
import HearthPlatform
import Testing

@Suite("Drawing a picture into a context")
struct DrawingTests {
    @Test("at its own size it arrives byte for byte")
    func identity() {
        let (width, height) = (13, 7)
        let image = Picture.numbered(width, height)
        let context = CGContext.xrgb(width, height)
        context.draw(image, in: CGRect(x: 0, y: 0, width: width, height: height))
        let colors = context.bytes.enumerated().filter { $0.offset % 4 != 0 }.map(\.element)
        #expect(colors == Array(image.bytes))
    }

    @Test("the origin is at the bottom left, and rows in memory start at the top")
    func origin() {
        let context = CGContext.xrgb(3, 3)
        context.draw(Picture.gray([1, 2, 3, 4], width: 2), in: CGRect(x: 1, y: 0, width: 2, height: 2))
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
        context.draw(Picture.gray(Array(1...9), width: 3), in: rect)
        #expect(context.reds == expected)
    }

    @Test("negative sides count backwards from the origin")
    func negativeSides() {
        let context = CGContext.xrgb(2, 2)
        context.draw(Picture.gray([1, 2, 3, 4], width: 2), in: CGRect(x: 2, y: 2, width: -2, height: -2))
        #expect(context.reds == [1, 2, 3, 4])
    }

    @Test("scaling down takes all pixels into account")
    func smaller() {
        // Single bright columns vanish where only neighbours of the target's centre are looked at.
        let stripes = (0..<64).map { UInt8($0 % 8 == 1 ? 240 : 0) }
        let context = CGContext.xrgb(8, 1)
        context.draw(Picture.gray(stripes, width: 64), in: CGRect(x: 0, y: 0, width: 8, height: 1))
        for red in context.reds.dropFirst().dropLast() {
            #expect((28...32).contains(red ?? 0), "240 / 8 = 30, but \(String(describing: red))")
        }
    }

    @Test("scaling up is bilinear between the centres")
    func larger() {
        let context = CGContext.xrgb(4, 1)
        context.draw(Picture.gray([0, 200], width: 2), in: CGRect(x: 0, y: 0, width: 4, height: 1))
        #expect(context.reds == [0, 50, 150, 200])
    }

    @Test("white stays white and black black at any scale", arguments: [1, 2, 3, 5, 7, 31, 100])
    func flat(side: Int) {
        for value in [0, 255] as [UInt8] {
            let context = CGContext.xrgb(side, side)
            context.draw(
                Picture.gray(.init(repeating: value, count: 9 * 11), width: 9),
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
        for rect in rects { context.draw(Picture.numbered(3, 3), in: rect) }
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
                    Picture.numbered(3, 3), in: CGRect(x: -side * share, y: -side * share, width: side, height: side))
            }
        }
        #expect(context.reds.allSatisfy { $0 != nil })
        for origin in [0, 0.5, 2.5, 4.999] as [CGFloat] {
            for side in [tiny, 1e-300, 1e-9] {
                context.draw(Picture.numbered(3, 3), in: CGRect(x: origin, y: origin, width: side, height: side))
                context.draw(Picture.numbered(9, 1), in: CGRect(x: origin, y: 0, width: side, height: 5))
            }
        }
    }
}
