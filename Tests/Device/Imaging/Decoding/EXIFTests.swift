import Foundation
import HearthImaging
import Testing

@Suite("EXIF orientation: read where right, ignored where wrong")
struct EXIFTests {
    private func orientation(_ exif: Data) throws -> ImageOrientation {
        let jpeg = try ImageBuilder.insertAPP1(Data("Exif\0\0".utf8) + exif, in: ImageFixtures.data("gray.jpg"))
        return try ImageDecoder.decode(jpeg).orientation
    }

    @Test("the builder's own block is read")
    func valid() throws {
        #expect(try orientation(ImageBuilder.exif(orientation: 6)) == .right)
    }

    @Test(
        "wrong blocks mean upright",
        arguments: [
            ImageBuilder.exif(orientation: 0), ImageBuilder.exif(orientation: 9),
            ImageBuilder.exif(orientation: 0x0106), ImageBuilder.exif(orientation: 6, type: 4),
            ImageBuilder.exif(orientation: 6, count: 0), ImageBuilder.exif(orientation: 6, count: .max),
            ImageBuilder.exif(orientation: 6, entries: 0),
            ImageBuilder.exif(orientation: 6, directory: .max),
            ImageBuilder.exif(orientation: 6, directory: 0x7FFF_FFFF),
            ImageBuilder.exif(orientation: 6, directory: 0), ImageBuilder.exif(orientation: 6).dropFirst(),
            Data("XX\0*".utf8) + ImageBuilder.exif(orientation: 6).dropFirst(4), Data(),
        ])
    func wrong(exif: Data) throws {
        #expect(try orientation(exif) == .up)
    }

    @Test("a block cut anywhere before the value means upright")
    func cut() throws {
        let block = ImageBuilder.exif(orientation: 6)
        for length in 0..<20 {
            #expect(try orientation(block.prefix(length)) == .up)
        }
    }

    @Test("a directory that claims 65,535 entries still gives its first")
    func manyEntries() throws {
        #expect(try orientation(ImageBuilder.exif(orientation: 3, entries: .max)) == .down)
    }

    @Test("PNG: before and after the pixels, but not with a wrong checksum")
    func png() throws {
        let png = try ImageFixtures.data("rgb.png")
        let chunk = ImageBuilder.chunk("eXIf", ImageBuilder.exif(orientation: 8))
        let damaged = ImageBuilder.chunk("eXIf", ImageBuilder.exif(orientation: 8), checksum: 1)
        #expect(try ImageDecoder.decode(ImageBuilder.insert(chunk, before: "IDAT", in: png)).orientation == .left)
        #expect(try ImageDecoder.decode(ImageBuilder.insert(chunk, before: "IEND", in: png)).orientation == .left)
        #expect(try ImageDecoder.decode(ImageBuilder.insert(damaged, before: "IDAT", in: png)).orientation == .up)
    }
}
