import Dispatch
import Foundation
import HearthPlatform
import Testing

@Suite("Images, frames and the device")
struct ImageTests {
    @Test("an image's bytes must be those of its size")
    func imageSizes() {
        #expect(CGImage(rgb: Data(count: 6), width: 2, height: 1)?.bytesPerRow == 6)
        for (count, width, height) in [
            (5, 2, 1), (7, 2, 1), (0, 0, 0), (0, 0, 5), (6, -2, -1), (12, .max, 2), (0, .max, .max), (3, .max, 3),
            (0, .min, .min),
        ] {
            #expect(CGImage(rgb: Data(count: count), width: width, height: height) == nil)
        }
    }

    @Test("bytes that are a part of other data")
    func slice() throws {
        let image = try #require(CGImage(rgb: Data([9, 9, 1, 2, 3, 9])[2..<5], width: 1, height: 1))
        let context = CGContext.xrgb(1, 1)
        context.draw(image, in: CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(context.bytes == [255, 1, 2, 3])
    }

    @Test("a UIImage's size is that of the upright image, in points")
    func size() {
        let image = TestImage.numbered(4, 2)
        #expect(UIImage(cgImage: image).size == CGSize(width: 4, height: 2))
        for raw in 0..<8 {
            let orientation = UIImage.Orientation(rawValue: raw)!
            let turned = [.left, .right, .leftMirrored, .rightMirrored].contains(orientation)
            let upright = UIImage(cgImage: image, scale: 2, orientation: orientation)
            #expect(upright.size == (turned ? CGSize(width: 1, height: 2) : CGSize(width: 2, height: 1)))
            #expect(upright.imageOrientation == orientation)
        }
        for scale in [0, -1, .nan, .infinity] as [CGFloat] {
            #expect(UIImage(cgImage: image, scale: scale, orientation: .up).scale == 1)
        }
        #expect(UIImage().cgImage == nil)
        #expect(UIImage().size == .zero)
    }

    @Test("the names have the original's numbers")
    func rawValues() {
        #expect(UIImage.Orientation(rawValue: 8) == nil)
        let orientations: [UIImage.Orientation] = [
            .up, .down, .left, .right, .upMirrored, .downMirrored, .leftMirrored, .rightMirrored,
        ]
        #expect(orientations.map(\.rawValue) == Array(0..<8))
        let held: [UIDeviceOrientation] = [
            .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
        ]
        #expect(held.map(\.rawValue) == Array(0..<7))
        #expect([AVCaptureDevice.Position.unspecified, .back, .front].map(\.rawValue) == [0, 1, 2])
        #expect(CGImageAlphaInfo.noneSkipFirst.rawValue == 6)
        #expect(CGBitmapInfo.byteOrder32Little.rawValue == 8192)
        #expect(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange == 875_704_422)
        #expect(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange == 875_704_438)
        #expect(kCVPixelFormatType_32BGRA == 1_111_970_369)
    }

    @Test("a frame's memory goes back when nobody uses it any more")
    func frameMemory() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 5, count: 16)
        let returned = DispatchSemaphore(value: 0)
        let giveBack = Data.Deallocator.custom { memory, _ in
            memory.deallocate()
            returned.signal()
        }
        var sample: CMSampleBuffer? = CMSampleBuffer(
            imageBuffer: CVPixelBuffer(
                width: 2, height: 2, pixelFormatType: kCVPixelFormatType_32BGRA,
                planes: [
                    .init(
                        Data(bytesNoCopy: memory, count: 16, deallocator: giveBack),
                        bytesPerRow: 8)
                ]))
        var frame = sample.flatMap(CMSampleBufferGetImageBuffer)
        #expect(frame.map(CVPixelBufferGetWidth) == 2)
        #expect(frame.map(CVPixelBufferGetHeight) == 2)
        #expect(frame.map(CVPixelBufferGetPixelFormatType) == kCVPixelFormatType_32BGRA)
        #expect(frame?.planes.first?.bytes.first == 5)
        sample = nil
        #expect(returned.wait(timeout: .now()) == .timedOut, "the frame is still held")
        withExtendedLifetime(frame) {}
        frame = nil
        #expect(returned.wait(timeout: .now()) == .success)
    }
}
