import Foundation
import HearthImaging
import HearthTestSupport
import HearthVision
import Testing

@Suite("UIImage from files and bytes")
struct UIImageTests {
    @Test("pixels as stored, and the file's orientation beside them", arguments: ImageOrientation.allCases)
    func files(orientation: ImageOrientation) throws {
        let path = TestPicture.path(orientation: orientation)
        let stored = try ImageDecoder.decode(contentsOfFile: path)
        for image in [
            UIImage(contentsOfFile: path), UIImage(data: try Data(contentsOf: URL(fileURLWithPath: path))),
        ] {
            let picture = try #require(image?.cgImage)
            #expect((picture.width, picture.height) == (stored.pixels.width, stored.pixels.height))
            #expect(Array(picture.bytes) == stored.pixels.withUnsafeBytes { Array($0) })
            #expect(image?.imageOrientation == UIImage.Orientation(orientation))
            #expect(image?.size == CGSize(width: 16, height: 8))
        }
    }

    @Test("what cannot be decoded is nil")
    func wrong() throws {
        let jpeg = try Data(contentsOf: URL(fileURLWithPath: TestPicture.path(orientation: .up)))
        for data in [Data(), Data("no picture".utf8), jpeg.prefix(jpeg.count / 2)] {
            #expect(UIImage(data: data) == nil)
        }
        #expect(UIImage(contentsOfFile: "/nowhere.jpg") == nil)
        #expect(UIImage(contentsOfFile: "/") == nil)
    }
}
