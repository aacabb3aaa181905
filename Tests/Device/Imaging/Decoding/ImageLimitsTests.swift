import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@Suite("Limits are kept before the cost arises")
struct LimitTests {
    private func options(_ change: (inout ImageLimits) -> Void) -> ImageDecodeOptions {
        var limits = ImageLimits()
        change(&limits)
        return ImageDecodeOptions(limits: limits, allowPartial: true)
    }

    @Test("pixels: 16 x 8", arguments: ["rgb.png", "gray.jpg"])
    func pixels(name: String) throws {
        let data = try ImageFixtures.data(name)
        #expect(decodingErrorCode(data, options { $0.maxPixels = 128 }) == nil)
        #expect(decodingErrorCode(data, options { $0.maxPixels = 127 }) == .tooLarge)
    }

    @Test("longest side: 16, lying or standing", arguments: ["rgb.png", "gray.jpg", "orientation_6.png"])
    func side(name: String) throws {
        let data = try ImageFixtures.data(name)
        #expect(decodingErrorCode(data, options { $0.maxSide = 16 }) == nil)
        #expect(decodingErrorCode(data, options { $0.maxSide = 15 }) == .tooLarge)
    }

    @Test("encoded bytes, in memory and in a file")
    func fileBytes() throws {
        let data = try ImageFixtures.data("rgb.png")
        let path = ImageFixtures.folder.appendingPathComponent("rgb.png").path
        let (exact, less) = (options { $0.maxFileBytes = data.count }, options { $0.maxFileBytes = data.count - 1 })
        #expect(decodingErrorCode(data, exact) == nil)
        #expect(decodingErrorCode(data, less) == .tooLarge)
        #expect(try ImageDecoder.decode(contentsOfFile: path, options: exact).pixels.width == 16)
        let code = imageErrorCode { _ = try ImageDecoder.decode(contentsOfFile: path, options: less) }
        #expect(code == .tooLarge)
    }

    @Test("scans of a progressive JPEG: the fixture has 10")
    func scans() throws {
        let data = try ImageFixtures.data("progressive.jpg")
        #expect(decodingErrorCode(data, options { $0.maxScans = 10 }) == nil)
        #expect(decodingErrorCode(data, options { $0.maxScans = 9 }) == .tooLarge)
        #expect(decodingErrorCode(data, options { $0.maxScanPixels = 16 * 8 * 10 }) == nil)
        #expect(decodingErrorCode(data, options { $0.maxScanPixels = 16 * 8 * 10 - 1 }) == .tooLarge)
    }

    @Test("a JPEG that repeats a scan many times is refused, with partial images allowed too")
    func scanBomb() throws {
        let data = try ImageFixtures.data("progressive.jpg")
        let lastScan = try #require(data.range(of: Data([0xFF, 0xDA]), options: .backwards)).lowerBound
        let scan = data[lastScan..<(data.count - 2)]
        let bomb = (0..<600).reduce(into: data.dropLast(2)) { bomb, _ in bomb += scan } + data.suffix(2)
        #expect(decodingErrorCode(bomb, options { _ in }) == .tooLarge)
        // Beyond 500 the decoder library draws the line itself.
        #expect(decodingErrorCode(bomb, options { $0.maxScans = .max }) == .corrupt)
    }

    @Test("the defaults let a 48-megapixel photo pass and refuse 400 megapixels, saying so")
    func defaults() {
        let photo = ImageBuilder.png(width: 8064, height: 6048, imageData: Data())
        let bomb = ImageBuilder.png(width: 20_000, height: 20_000, imageData: Data())
        #expect(decodingErrorCode(photo) == .corrupt)
        let error = #expect(throws: ImageError.self) { try ImageDecoder.decode(bomb) }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("20000 x 20000 = 400000000 pixels; the limit is 100000000") == true)
    }

    @Test("a size beyond any memory is refused even with all limits lifted")
    func overflow() {
        let data = ImageBuilder.png(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, imageData: Data())
        let code = decodingErrorCode(
            data,
            options {
                $0.maxSide = .max
                $0.maxPixels = .max
            })
        #expect(code == .outOfMemory)
    }

    @Test("a refused image takes no memory for its pixels")
    func refusedTakesNoMemory() async {
        // In a process of its own, where nothing else takes memory meanwhile.
        await #expect(processExitsWith: .success) {
            let jpeg = try ImageBuilder.resized(
                ImageFixtures.data("progressive.jpg"), width: 65_500, height: 65_500)
            let bombs = [ImageBuilder.png(width: 20_000, height: 20_000, imageData: Data([0x78, 0x9C])), jpeg]
            _ = try ImageFixtures.image("rgb.png")
            for bomb in bombs {
                let before = try ProcessMemory.now()
                #expect(decodingErrorCode(bomb, ImageDecodeOptions(allowPartial: true)) == .tooLarge)
                let after = try ProcessMemory.now()
                #expect(after.peakResidentKB - before.peakResidentKB < 4 * 1024)
                #expect(after.peakAddressSpaceKB - before.peakAddressSpaceKB < 100 * 1024)
            }
            // The measure would have shown it: the same kind of file within the limits does take memory.
            let before = try ProcessMemory.now()
            let allowed = ImageBuilder.png(width: 9_000, height: 9_000, imageData: Data([0x78, 0x9C]))
            #expect(decodingErrorCode(allowed) != .tooLarge)
            #expect(try ProcessMemory.now().peakAddressSpaceKB - before.peakAddressSpaceKB > 100 * 1024)
        }
    }

    @Test("an EXIF block that claims 2 GB takes no memory")
    func hugeEXIF() async {
        await #expect(processExitsWith: .success) {
            let claim = ImageBuilder.bigEndian(UInt32(0x7FFF_0000)) + Data("eXIf".utf8)
            let png = try ImageBuilder.insert(claim, before: "IDAT", in: ImageFixtures.data("rgb.png"))
            _ = try ImageFixtures.image("rgb.png")
            let before = try ProcessMemory.now()
            #expect(decodingErrorCode(png) == .truncated)
            #expect(try ProcessMemory.now().peakAddressSpaceKB - before.peakAddressSpaceKB < 100 * 1024)
        }
    }
}

/// What Linux says of this process's memory.
struct ProcessMemory {
    let peakResidentKB: Int
    let peakAddressSpaceKB: Int

    static func now() throws -> ProcessMemory {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) throws -> Int {
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
            return try #require(Int(line.filter(\.isNumber)))
        }
        return try ProcessMemory(peakResidentKB: value("VmHWM"), peakAddressSpaceKB: value("VmPeak"))
    }
}
