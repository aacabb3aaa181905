import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@testable import HearthVision

@Suite("Camera frames")
struct FrameTests {
    private static func bgra(bytesPerRow: Int = 16, count: Int = 16 + 12, width: Int = 3, height: Int = 2)
        -> CVPixelBuffer
    {
        var bytes = [UInt8](repeating: 7, count: max(count, 28))
        for (index, color) in TestImage.colors.enumerated() {
            let start = index / 3 * 16 + index % 3 * 4
            bytes.replaceSubrange(start..<start + 3, with: color.reversed())
        }
        return CVPixelBuffer(
            width: width, height: height, pixelFormatType: kCVPixelFormatType_32BGRA,
            planes: [.init(Data(bytes.prefix(count)), bytesPerRow: bytesPerRow)])
    }

    /// One luma and one chroma for the whole frame.
    private static func flat(_ format: OSType, luma: UInt8, blue: UInt8, red: UInt8) -> CVPixelBuffer {
        CVPixelBuffer(
            width: 3, height: 3, pixelFormatType: format,
            planes: [
                .init(Data(repeating: luma, count: 5 * 3), bytesPerRow: 5),
                .init(Data([blue, red, blue, red, 0, 0, blue, red, blue, red]), bytesPerRow: 6),
            ])
    }

    @Test("32BGRA with padded rows, the last one without")
    func packed() throws {
        let frame = Self.bgra()
        #expect(try VisionImage(buffer: CMSampleBuffer(imageBuffer: frame)).uprightColors() == TestImage.colors)
        #expect(try MLImage(pixelBuffer: frame)?.uprightColors() == TestImage.colors)
        #expect(
            try MLImage(sampleBuffer: CMSampleBuffer(imageBuffer: frame))?.uprightColors() == TestImage.colors)
    }

    @Test(
        "4:2:0 in two planes: black is 16 in video range and 0 in full range",
        arguments: [
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 16, 128, 128, [0, 0, 0]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 235, 128, 128, [255, 255, 255]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 126, 128, 128, [128, 128, 128]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 64, 128, 128, [64, 64, 64]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 0, 128, 128, [0, 0, 0]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 255, 128, 128, [255, 255, 255]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 76, 85, 255, [254, 0, 0]),
            (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, 29, 255, 107, [0, 0, 254]),
        ] as [(OSType, UInt8, UInt8, UInt8, [Int])])
    func planar(format: OSType, luma: UInt8, blue: UInt8, red: UInt8, expected: [Int]) throws {
        let frame = Self.flat(format, luma: luma, blue: blue, red: red)
        let colors = try VisionImage(buffer: CMSampleBuffer(imageBuffer: frame)).uprightColors()
        #expect(colors.count == 9)
        for color in colors {
            #expect(zip(color, expected).allSatisfy { abs(Int($0) - $1) <= 3 }, "\(color)")
        }
    }

    @Test("what an app writes into a locked frame is what an image of it shows")
    func written() throws {
        let frame = Self.bgra()
        CVPixelBufferLockBaseAddress(frame, [])
        let base = try #require(CVPixelBufferGetBaseAddress(frame))
        for row in 0..<CVPixelBufferGetHeight(frame) {
            memset(base + row * CVPixelBufferGetBytesPerRow(frame), 200, CVPixelBufferGetWidth(frame) * 4)
        }
        CVPixelBufferUnlockBaseAddress(frame, [])
        let colors = try VisionImage(buffer: CMSampleBuffer(imageBuffer: frame)).uprightColors()
        #expect(colors == Array(repeating: [200, 200, 200], count: 6))
        #expect(try MLImage(pixelBuffer: frame)?.uprightColors() == colors)
    }

    @Test("wrong frames: an error for a labeler, nil for MLImage, never a trap")
    func wrong() throws {
        let labeler = Labeler.fixture("uint8")
        let full = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        let frames: [CVPixelBuffer?] = [
            nil,
            CVPixelBuffer(
                width: 2, height: 2, pixelFormatType: 0x7866_3230, planes: [.init(Data(count: 99), bytesPerRow: 4)]),
            CVPixelBuffer(width: 2, height: 2, pixelFormatType: 24, planes: []),
            CVPixelBuffer(width: 2, height: 2, pixelFormatType: full, planes: []),
            CVPixelBuffer(width: 2, height: 2, pixelFormatType: full, planes: [.init(Data(count: 99), bytesPerRow: 2)]),
            Self.bgra(count: 27), Self.bgra(count: 0), Self.bgra(bytesPerRow: 11), Self.bgra(bytesPerRow: 0),
            Self.bgra(bytesPerRow: -16), Self.bgra(bytesPerRow: .max), Self.bgra(bytesPerRow: .min),
            Self.bgra(width: 0), Self.bgra(height: 0), Self.bgra(width: -3), Self.bgra(height: -2),
            Self.bgra(width: .max), Self.bgra(height: .max), Self.bgra(width: .min, height: .min),
        ]
        for frame in frames {
            let sample = CMSampleBuffer(imageBuffer: frame)
            #expect(Labeler.error(labeler, VisionImage(buffer: sample))?.code == 3)
            #expect(MLImage(sampleBuffer: sample) == nil)
            if let frame { #expect(MLImage(pixelBuffer: frame) == nil) }
        }
    }

    @Test("the error of a 10-bit frame names the format and what to ask for")
    func tenBit() throws {
        let frame = CVPixelBuffer(width: 2, height: 2, pixelFormatType: 0x7866_3230, planes: [])
        let error = try #require(
            Labeler.error(Labeler.fixture("uint8"), VisionImage(buffer: CMSampleBuffer(imageBuffer: frame))))
        #expect(
            error.localizedDescription
                == "frames of the pixel format 'xf20' are not supported; configure the camera for 32BGRA or 8-bit 4:2:0"
        )
    }

    @Test("MLImage knows what it was made from")
    func source() throws {
        let frame = Self.bgra()
        let sample = CMSampleBuffer(imageBuffer: frame)
        let fromFrame = try #require(MLImage(pixelBuffer: frame))
        #expect(fromFrame.imageSourceType == .pixelBuffer)
        #expect(fromFrame.pixelBuffer === frame)
        #expect(fromFrame.image == nil && fromFrame.sampleBuffer == nil)
        #expect((fromFrame.width, fromFrame.height) == (3, 2))
        #expect(fromFrame.orientation == .up)

        let fromSample = try #require(MLImage(sampleBuffer: sample))
        #expect(fromSample.imageSourceType == .sampleBuffer)
        #expect(fromSample.sampleBuffer === sample)
        #expect(fromSample.image == nil && fromSample.pixelBuffer == nil)

        let picture = UIImage(cgImage: TestImage.image, scale: 2, orientation: .right)
        let fromImage = try #require(MLImage(image: picture))
        #expect(fromImage.imageSourceType == .image)
        #expect(fromImage.image === picture)
        #expect((fromImage.width, fromImage.height) == (2, 3))
        #expect(fromImage.orientation == .right)
        fromImage.orientation = .up
        #expect(try fromImage.uprightColors() == TestImage.colors)
        #expect(MLImage(image: UIImage()) == nil)
    }
}

@Suite("UIImage from files and bytes")
struct UIImageTests {
    @Test("pixels as stored, and the file's orientation beside them", arguments: ImageOrientation.allCases)
    func files(orientation: ImageOrientation) throws {
        let path = TestImage.path(orientation: orientation)
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
        let jpeg = try Data(contentsOf: URL(fileURLWithPath: TestImage.path(orientation: .up)))
        for data in [Data(), Data("no image".utf8), jpeg.prefix(jpeg.count / 2)] {
            #expect(UIImage(data: data) == nil)
        }
        #expect(UIImage(contentsOfFile: "/nowhere.jpg") == nil)
        #expect(UIImage(contentsOfFile: "/") == nil)
    }
}
