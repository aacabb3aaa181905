import Dispatch
import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@testable import HearthVision

@Suite("VisionImage")
struct VisionImageTests {
    @Test("a UIImage's own orientation is ignored", arguments: 0..<8)
    func ignoredOrientation(raw: Int) throws {
        let orientation = try #require(UIImage.Orientation(rawValue: raw))
        let image = VisionImage(image: UIImage(cgImage: TestImage.image, scale: 2, orientation: orientation))
        #expect(image.orientation == .up)
        #expect(try image.uprightColors() == TestImage.colors)
    }

    @Test("every order of bytes that contexts make keeps its colours")
    func contexts() throws {
        let orders: [(CGImageAlphaInfo, CGBitmapInfo)] = [
            (.noneSkipFirst, []), (.noneSkipLast, []), (.premultipliedFirst, .byteOrder32Little),
        ]
        for (alpha, order) in orders {
            let context = try #require(
                CGContext(
                    data: nil, width: 3, height: 2, bitsPerComponent: 8, bytesPerRow: 32,
                    space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: alpha.rawValue | order.rawValue))
            context.draw(TestImage.image, in: CGRect(x: 0, y: 0, width: 3, height: 2))
            let image = try #require(context.makeImage())
            #expect(try VisionImage(image: UIImage(cgImage: image)).uprightColors() == TestImage.colors)
        }
    }

    @Test("an image without pixels is an error for whoever uses it, with ML Kit's domain for apps")
    func noPixels() throws {
        let image = VisionImage(image: UIImage())
        #expect(throws: ImageError.self) { try image.decodedImage(covering: nil) }
        let error = try #require(Labeler.error(Labeler.fixture("uint8"), image))
        #expect(error.code == 3)
        #expect(error.localizedDescription.contains("cgImage"))
    }

    @Test("what was decoded serves again while it has pixels enough; else the file is decoded again")
    func kept() throws {
        let folder = try TemporaryFolder()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: TestImage.path(orientation: .up)))
        let path = try folder.write(bytes, to: "image.jpg")
        let image = VisionImage(contentsOfFile: path)
        let small = DecodeTarget(width: 2, height: 1)
        #expect(try image.decodedImage(covering: small).pixels.width >= 2)
        #expect(try image.decodedImage(covering: nil).pixels.width == 16)
        try FileManager.default.removeItem(atPath: path)
        for target in [nil, small, DecodeTarget(width: 999, height: 999)] {
            #expect(try image.decodedImage(covering: target).pixels.width == 16)
        }
    }

    @Test("what was decoded for few pixels does not serve where more are wanted for each of the input's")
    func cover() throws {
        let image = VisionImage(contentsOfFile: TestImage.path(orientation: .up))
        let sparse = DecodeTarget(width: 2, height: 1, oversampling: 1)
        #expect(try image.decodedImage(covering: sparse).pixels.width == 2)
        #expect(try image.decodedImage(covering: DecodeTarget(width: 2, height: 1, oversampling: 2)).pixels.width == 4)
        #expect(try image.decodedImage(covering: sparse).pixels.width == 4)
    }

    @Test("an error is not kept: the file may come later")
    func later() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/image.jpg"
        let image = VisionImage(contentsOfFile: path)
        #expect(throws: ImageError.self) { try image.decodedImage(covering: nil) }
        _ = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: TestImage.path(orientation: .up))), to: "image.jpg")
        #expect(try image.decodedImage(covering: nil).pixels.width == 16)
    }

    @Test("many threads may use and turn one image")
    func threads() {
        let image = VisionImage(contentsOfFile: TestImage.path(orientation: .right))
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            let side = 1 + index % 16
            let target = index.isMultiple(of: 3) ? nil : DecodeTarget(width: side, height: side)
            image.orientation = index.isMultiple(of: 2) ? .up : .left
            let size = try? image.decodedImage(covering: target).uprightSize
            #expect(size.map { $0.width * $0.height } == 16 * 8)
        }
    }
}

@Suite("How images are turned")
struct OrientationTests {
    @Test(
        "the eight names mean the same turns, by EXIF's numbers and by UIKit's",
        arguments: [(1, 0), (2, 4), (3, 1), (4, 5), (5, 6), (6, 3), (7, 7), (8, 2)] as [(UInt8, Int)])
    func mapping(exif: UInt8, uiKit: Int) throws {
        let orientation = try #require(ImageOrientation(rawValue: exif))
        let named = try #require(UIImage.Orientation(rawValue: uiKit))
        #expect(UIImage.Orientation(orientation) == named)
        #expect(ImageOrientation(named) == orientation)
    }

    @Test("an image that the app says how to turn is turned so", arguments: ImageOrientation.allCases)
    func turned(orientation: ImageOrientation) throws {
        let expected = TestImage.uprightIndexes(orientation, width: 3, height: 2).map { TestImage.colors[$0] }
        let vision = VisionImage(image: UIImage(cgImage: TestImage.image))
        vision.orientation = UIImage.Orientation(orientation)
        #expect(try vision.uprightColors() == expected)
        let pixels = try PixelImage(
            format: .rgb, width: 3, height: 2,
            planes: [.init(Data(TestImage.colors.joined()), bytesPerRow: 9)])
        #expect(
            try VisionImage(pixels: pixels, orientation: UIImage.Orientation(orientation)).uprightColors() == expected)
        let image = UIImage(cgImage: TestImage.image, scale: 1, orientation: UIImage.Orientation(orientation))
        #expect(try MLImage(image: image)?.uprightColors() == expected)
    }

    @Test("a file's own orientation applies, and the property tells it", arguments: ImageOrientation.allCases)
    func stated(orientation: ImageOrientation) throws {
        let upright = try VisionImage(contentsOfFile: TestImage.path(orientation: .up)).uprightColors()
        let file = VisionImage(contentsOfFile: TestImage.path(orientation: orientation))
        #expect(file.orientation == UIImage.Orientation(orientation))
        let colors = try file.uprightColors()
        #expect(colors.count == upright.count)
        // JPEG blocks fall differently, by a few steps.
        for (color, expected) in zip(colors, upright) {
            #expect(zip(color, expected).allSatisfy { abs(Int($0) - Int($1)) <= 16 })
        }
    }

    @Test("what the app sets replaces what the file says, before and after it was decoded")
    func replaced() throws {
        let stored = try ImageDecoder.decode(contentsOfFile: TestImage.path(orientation: .right)).pixels
        let image = VisionImage(contentsOfFile: TestImage.path(orientation: .right))
        image.orientation = .up
        #expect(try image.decodedImage(covering: nil).uprightSize == (stored.width, stored.height))
        image.orientation = .leftMirrored
        #expect(image.orientation == .leftMirrored)
        #expect(try image.decodedImage(covering: nil).uprightSize == (stored.height, stored.width))
    }

    @Test("an image on its side is decoded with pixels enough for the side that is seen")
    func sideways() throws {
        // 16 x 8 as stored, 8 x 16 once turned: only the whole image has the 8 columns that are wanted then.
        let image = VisionImage(contentsOfFile: TestImage.path(orientation: .up))
        let wide = DecodeTarget(width: 8, height: 4)
        #expect(try image.decodedImage(covering: wide).pixels.width >= 8)
        image.orientation = .right
        #expect(try image.decodedImage(covering: wide).pixels.width == 16)
    }

    @Test("reading the orientation of a file that cannot be read is no error")
    func unreadable() {
        #expect(VisionImage(contentsOfFile: "/nowhere.jpg").orientation == .up)
        #expect(VisionImage(data: Data()).orientation == .up)
    }
}
