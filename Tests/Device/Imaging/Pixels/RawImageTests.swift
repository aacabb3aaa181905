import Foundation
import HearthImaging
import Testing

@Suite("Raw images")
struct RawImageTests {
    private func picture(
        _ format: PixelFormat, _ width: Int, _ height: Int, _ planes: [[UInt8]], bytesPerRow: [Int],
        _ colors: YUVColorSpace = YUVColorSpace()
    ) throws -> PixelImage {
        try PixelImage(
            format: format, width: width, height: height,
            planes: zip(planes, bytesPerRow).map { PixelImage.Plane(Data($0), bytesPerRow: $1) }, colorSpace: colors)
    }

    @Test("the channels of two pixels, with padding between rows")
    func channels() throws {
        let expected: [UInt8] = [1, 2, 3, 4, 5, 6]
        let rows: [(PixelFormat, [UInt8])] = [
            (.rgb, [1, 2, 3, 99, 4, 5, 6]), (.rgba, [1, 2, 3, 9, 99, 4, 5, 6, 9]),
            (.bgra, [3, 2, 1, 9, 99, 6, 5, 4, 9]), (.xrgb, [9, 1, 2, 3, 99, 9, 4, 5, 6]),
        ]
        for (format, bytes) in rows {
            let image = try picture(format, 1, 2, [bytes], bytesPerRow: [bytes.count / 2 + 1])
            #expect(try image.rgb().bytes == expected)
        }
        #expect(try picture(.gray, 1, 2, [[7, 99, 8]], bytesPerRow: [2]).rgb().bytes == [7, 7, 7, 8, 8, 8])
    }

    @Test("a tight RGB image is its own RGB image, and its bytes are not copied")
    func tight() throws {
        let image = try ImageFixtures.image("rgb.png").pixels
        let addresses = (
            try image.rgb().withUnsafeBytes { $0.baseAddress }, image.withUnsafeBytes { $0.baseAddress }
        )
        #expect(addresses.0 == addresses.1)
        let bytes = Data(repeating: 5, count: 300)
        let raw = try PixelImage(
            format: .rgb, width: 10, height: 10, planes: [PixelImage.Plane(bytes, bytesPerRow: 30)])
        #expect(raw.withUnsafeBytes { $0.baseAddress } == bytes.withUnsafeBytes { $0.baseAddress })
    }

    @Test("each 2 x 2 pixels share the chroma of their place, in all three layouts; odd sides too")
    func chromaPlaces() throws {
        // 3 x 3: four chroma samples, told apart by their blue difference.
        let luma = [UInt8](repeating: 128, count: 9)
        let (blue, red): ([UInt8], [UInt8]) = ([0, 60, 190, 255], [128, 100, 150, 128])
        let pairs = zip(blue, red).flatMap { [$0, $1] }
        let swapped = zip(blue, red).flatMap { [$1, $0] }
        let full = YUVColorSpace(range: .full)
        let i420 = try picture(.i420, 3, 3, [luma, blue, red], bytesPerRow: [3, 2, 2], full).rgb().bytes
        #expect(try picture(.nv12, 3, 3, [luma, pairs], bytesPerRow: [3, 4], full).rgb().bytes == i420)
        #expect(try picture(.nv21, 3, 3, [luma, swapped], bytesPerRow: [3, 4], full).rgb().bytes == i420)
        let samples = [0, 0, 1, 0, 0, 1, 2, 2, 3]
        for (pixel, sample) in samples.enumerated() {
            let (cb, cr) = (Double(blue[sample]) - 128, Double(red[sample]) - 128)
            let expected = [128 + 1.402 * cr, 128 - 0.344136 * cb - 0.714136 * cr, 128 + 1.772 * cb]
            for channel in 0..<3 {
                #expect(abs(Double(i420[pixel * 3 + channel]) - min(max(expected[channel], 0), 255)) <= 1)
            }
        }
    }

    @Test(
        "black, white, gray and pure red as each standard writes them",
        arguments: [
            (YUVColorSpace(matrix: .bt601, range: .video), [16, 128, 128], [235, 128, 128], [81, 90, 240]),
            (YUVColorSpace(matrix: .bt601, range: .full), [0, 128, 128], [255, 128, 128], [76, 85, 255]),
            (YUVColorSpace(matrix: .bt709, range: .video), [16, 128, 128], [235, 128, 128], [63, 102, 240]),
            (YUVColorSpace(matrix: .bt709, range: .full), [0, 128, 128], [255, 128, 128], [54, 99, 255]),
        ] as [(YUVColorSpace, [UInt8], [UInt8], [UInt8])])
    func colors(space: YUVColorSpace, black: [UInt8], white: [UInt8], red: [UInt8]) throws {
        func pixel(_ yuv: [UInt8]) throws -> [UInt8] {
            try picture(.i420, 1, 1, [[yuv[0]], [yuv[1]], [yuv[2]]], bytesPerRow: [1, 1, 1], space).rgb().bytes
        }
        #expect(try pixel(black) == [0, 0, 0])
        #expect(try pixel(white) == [255, 255, 255])
        let channels = try pixel(red).map(Int.init)
        #expect(channels[0] >= 253 && channels[1] <= 3 && channels[2] <= 3)
        // Beyond the range is cut, not wrapped around.
        #expect(try pixel([255, 128, 255])[0] == 255 && pixel([0, 128, 0])[0] == 0)
    }

    @Test("a tensor of a raw image is that of its RGB image", arguments: PixelFormat.allCases)
    func tensor(format: PixelFormat) throws {
        var random = SeededGenerator(seed: 7)
        let raw = try RawImages.image(format, width: 61, height: 43, padding: 5, &random)
        let rgb = try raw.rgb()
        for orientation in [ImageOrientation.up, .rightMirrored] {
            for format in [TensorImageFormat.uint8, .int8] {
                let writer = try ImageTensorWriter(width: 61, height: 43, format: format)
                let tensor = try writer.bytes(DecodedImage(pixels: raw, orientation: orientation))
                let expected = try writer.bytes(DecodedImage(pixels: rgb, orientation: orientation))
                // Blending before or after the conversion of random colours, many of them cut to 0 or 255, is not the same.
                if orientation == .up || !raw.isYUV { #expect(tensor == expected) }
            }
        }
    }

    @Test("sizes, planes and bytes that do not fit together are refused", arguments: PixelFormat.allCases)
    func refused(format: PixelFormat) throws {
        let sizes = RawImages.planeSizes(format, width: 5, height: 3)
        let good = sizes.map { PixelImage.Plane(Data(count: $0.bytes * $0.rows), bytesPerRow: $0.bytes) }
        func code(width: Int = 5, height: Int = 3, _ planes: [PixelImage.Plane]) -> ImageError.Code? {
            imageErrorCode { _ = try PixelImage(format: format, width: width, height: height, planes: planes) }
        }
        #expect(code(good) == nil)
        #expect(code([]) == .invalidPixels)
        #expect(code(good + good) == .invalidPixels)
        for (width, height) in [(0, 3), (5, 0), (-5, 3), (Int.max, 3), (5, Int.max), (Int.max, .max), (7, 3), (5, 5)] {
            #expect(code(width: width, height: height, good) == .invalidPixels)
        }
        for plane in good.indices {
            func changed(_ change: (inout PixelImage.Plane) -> Void) -> [PixelImage.Plane] {
                var planes = good
                change(&planes[plane])
                return planes
            }
            #expect(code(changed { $0.bytes.removeLast() }) == .invalidPixels)
            for bytesPerRow in [0, -1, good[plane].bytesPerRow - 1, good[plane].bytesPerRow + 1, .max, .min] {
                #expect(code(changed { $0.bytesPerRow = bytesPerRow }) == .invalidPixels)
            }
            // A slice whose indices do not begin at 0.
            #expect(code(changed { $0.bytes = (Data(count: 3) + $0.bytes).dropFirst(3) }) == nil)
        }
    }
}

extension PixelImage {
    fileprivate var isYUV: Bool { [.nv12, .nv21, .i420].contains(format) }
}
