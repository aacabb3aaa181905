import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("Decoding gives the right upright pixels")
struct DecodingTests {
    @Test("every fixture", arguments: ImageFixtures.names)
    func decodes(name: String) throws {
        let expected = try #require(ImageFixtures.expectations[name])
        let image = try ImageFixtures.image(name)
        let upright = try image.upright()

        #expect(image.orientation.rawValue == expected.orientation)
        #expect(!image.isPartial)
        #expect(image.uprightSize == (expected.width, expected.height))
        #expect(upright.width == expected.width && upright.height == expected.height)
        #expect(upright.bytes == expected.bytes)
    }

    @Test("the fixtures are there")
    func fixturesExist() {
        #expect(ImageFixtures.names.count > 75)
    }

    @Test("content decides, not the file's name")
    func contentDecides() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(ImageFixtures.data("rgb.png"), to: "photo.jpg")
        #expect(try ImageDecoder.decode(contentsOfFile: path).pixels.width == 16)
    }

    @Test("a slice of a larger buffer decodes like the whole")
    func slice() throws {
        let png = try ImageFixtures.data("rgb.png")
        let slice = (Data(count: 13) + png + Data(count: 5))[13..<(13 + png.count)]
        #expect(try ImageDecoder.decode(slice).pixels.bytes == ImageFixtures.image("rgb.png").pixels.bytes)
    }

    @Test("pixels outlive the data that they came from, and copies share them")
    func pixelsOutlive() throws {
        func pixels() throws -> PixelImage { try ImageFixtures.image("rgb.png").pixels }
        let (first, second) = (try pixels(), try pixels())
        let copy = first
        let addresses = (first.withUnsafeBytes { $0.baseAddress }, copy.withUnsafeBytes { $0.baseAddress })
        #expect(addresses.0 == addresses.1)
        #expect(first.bytes == second.bytes)
    }
}
