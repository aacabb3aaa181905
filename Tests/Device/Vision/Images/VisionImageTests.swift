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
        let image = VisionImage(image: UIImage(cgImage: TestPicture.image, scale: 2, orientation: orientation))
        #expect(image.orientation == .up)
        #expect(try image.uprightColors() == TestPicture.colors)
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
            context.draw(TestPicture.image, in: CGRect(x: 0, y: 0, width: 3, height: 2))
            let image = try #require(context.makeImage())
            #expect(try VisionImage(image: UIImage(cgImage: image)).uprightColors() == TestPicture.colors)
        }
    }

    @Test("a picture without pixels is an error for whoever uses it, with ML Kit's domain for apps")
    func noPixels() throws {
        let image = VisionImage(image: UIImage())
        #expect(throws: ImageError.self) { try image.picture(covering: nil) }
        let error = try #require(Labeler.error(Labeler.fixture("uint8"), image))
        #expect(error.code == 3)
        #expect(error.localizedDescription.contains("cgImage"))
    }

    @Test("what was decoded serves again while it has pixels enough; else the file is decoded again")
    func kept() throws {
        let folder = try TemporaryFolder()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: TestPicture.path(orientation: .up)))
        let path = try folder.write(bytes, to: "picture.jpg")
        let image = VisionImage(contentsOfFile: path)
        let small = DecodeTarget(width: 2, height: 1)
        #expect(try image.picture(covering: small).pixels.width >= 2)
        #expect(try image.picture(covering: nil).pixels.width == 16)
        try FileManager.default.removeItem(atPath: path)
        for target in [nil, small, DecodeTarget(width: 999, height: 999)] {
            #expect(try image.picture(covering: target).pixels.width == 16)
        }
    }

    @Test("what was decoded for few pixels does not serve where more are wanted for each of the input's")
    func cover() throws {
        let image = VisionImage(contentsOfFile: TestPicture.path(orientation: .up))
        let sparse = DecodeTarget(width: 2, height: 1, cover: 1)
        #expect(try image.picture(covering: sparse).pixels.width == 2)
        #expect(try image.picture(covering: DecodeTarget(width: 2, height: 1, cover: 2)).pixels.width == 4)
        #expect(try image.picture(covering: sparse).pixels.width == 4)
    }

    @Test("an error is not kept: the file may come later")
    func later() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/picture.jpg"
        let image = VisionImage(contentsOfFile: path)
        #expect(throws: ImageError.self) { try image.picture(covering: nil) }
        _ = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: TestPicture.path(orientation: .up))), to: "picture.jpg")
        #expect(try image.picture(covering: nil).pixels.width == 16)
    }

    @Test("many threads may use and turn one picture")
    func threads() {
        let image = VisionImage(contentsOfFile: TestPicture.path(orientation: .right))
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            let side = 1 + index % 16
            let target = index.isMultiple(of: 3) ? nil : DecodeTarget(width: side, height: side)
            image.orientation = index.isMultiple(of: 2) ? .up : .left
            let size = try? image.picture(covering: target).uprightSize
            #expect(size.map { $0.width * $0.height } == 16 * 8)
        }
    }
}
