import Foundation
import HearthImaging
import Testing

@testable import HearthVision

@Suite("How pictures are turned")
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

    @Test("a picture that the app says how to turn is turned so", arguments: ImageOrientation.allCases)
    func turned(orientation: ImageOrientation) throws {
        let expected = TestPicture.uprightIndexes(orientation, width: 3, height: 2).map { TestPicture.colors[$0] }
        let vision = VisionImage(image: UIImage(cgImage: TestPicture.image))
        vision.orientation = UIImage.Orientation(orientation)
        #expect(try vision.uprightColors() == expected)
        let pixels = try PixelImage(
            format: .rgb, width: 3, height: 2,
            planes: [.init(Data(TestPicture.colors.joined()), bytesPerRow: 9)])
        #expect(
            try VisionImage(pixels: pixels, orientation: UIImage.Orientation(orientation)).uprightColors() == expected)
        let image = UIImage(cgImage: TestPicture.image, scale: 1, orientation: UIImage.Orientation(orientation))
        #expect(try MLImage(image: image)?.uprightColors() == expected)
    }

    @Test("a file's own orientation applies, and the property tells it", arguments: ImageOrientation.allCases)
    func stated(orientation: ImageOrientation) throws {
        let upright = try VisionImage(contentsOfFile: TestPicture.path(orientation: .up)).uprightColors()
        let file = VisionImage(contentsOfFile: TestPicture.path(orientation: orientation))
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
        let stored = try ImageDecoder.decode(contentsOfFile: TestPicture.path(orientation: .right)).pixels
        let image = VisionImage(contentsOfFile: TestPicture.path(orientation: .right))
        image.orientation = .up
        #expect(try image.picture(covering: nil).uprightSize == (stored.width, stored.height))
        image.orientation = .leftMirrored
        #expect(image.orientation == .leftMirrored)
        #expect(try image.picture(covering: nil).uprightSize == (stored.height, stored.width))
    }

    @Test("a picture on its side is decoded with pixels enough for the side that is seen")
    func sideways() throws {
        // 16 x 8 as stored, 8 x 16 once turned: only the whole picture has the 8 columns that are wanted then.
        let image = VisionImage(contentsOfFile: TestPicture.path(orientation: .up))
        let wide = DecodeTarget(width: 8, height: 4)
        #expect(try image.picture(covering: wide).pixels.width >= 8)
        image.orientation = .right
        #expect(try image.picture(covering: wide).pixels.width == 16)
    }

    @Test("reading the orientation of a file that cannot be read is no error")
    func unreadable() {
        #expect(VisionImage(contentsOfFile: "/nowhere.jpg").orientation == .up)
        #expect(VisionImage(data: Data()).orientation == .up)
    }
}
