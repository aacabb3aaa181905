import Foundation
import HearthVision
import Testing

/// How apps written for ML Kit hand over images and camera frames. That it compiles is half of the test.
@Suite("Images and camera frames in existing apps")
struct CameraImageTests {
    /// A device in the hand turns the camera with it.
    private func imageOrientation(
        deviceOrientation: UIDeviceOrientation,
        cameraPosition: AVCaptureDevice.Position
    ) -> UIImage.Orientation {
        switch deviceOrientation {
        case .portrait:
            return cameraPosition == .front ? .leftMirrored : .right
        case .landscapeLeft:
            return cameraPosition == .front ? .downMirrored : .up
        case .portraitUpsideDown:
            return cameraPosition == .front ? .rightMirrored : .left
        case .landscapeRight:
            return cameraPosition == .front ? .upMirrored : .down
        case .faceDown, .faceUp, .unknown:
            return .up
        }
    }

    private func labeler() throws -> ImageLabeler {
        let options = CustomImageLabelerOptions(localModel: LocalModel(manifestPath: Digit.manifestPath))
        options.confidenceThreshold = NSNumber(value: 0.5)
        return ImageLabeler.imageLabeler(options: options)
    }

    @Test("a UIImage, turned as it says itself")
    func picture() throws {
        let image = Digit.seven
        let visionImage = VisionImage(image: image)
        visionImage.orientation = image.imageOrientation
        var labels: [ImageLabel] = []
        do {
            labels = try labeler().results(in: visionImage)
        } catch let error {
            Issue.record("Failed to label image with error: \(error.localizedDescription).")
        }
        #expect(labels.first?.text == "7")
    }

    @Test("the same through MLImage, which takes the image's own turn")
    func mlImage() throws {
        let image = try #require(Digit.seven.cgImage)
        for orientation in [.up, .right, .downMirrored] as [UIImage.Orientation] {
            let frame = try #require(CMSampleBufferGetImageBuffer(try frame(of: image, seen: orientation)))
            let mlImage = try #require(MLImage(pixelBuffer: frame))
            mlImage.orientation = orientation
            #expect(try labeler().results(in: mlImage).first?.text == "7")
        }
        let mlImage = try #require(MLImage(image: Digit.seven))
        #expect(try labeler().results(in: mlImage).first?.text == "7")
    }

    /// What the sensor gives when the upright image has to be `orientation` to be seen: a frame that is turned back.
    private func frame(of image: CGImage, seen orientation: UIImage.Orientation) throws -> CMSampleBuffer {
        let context = try #require(
            CGContext(
                data: nil, width: image.width, height: image.height, bitsPerComponent: 8,
                bytesPerRow: image.width * 4, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.noneSkipFirst.rawValue))
        context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
        let upright = try #require(context.makeImage()).bytes
        let exif = ImageOrientation(orientation)
        let stored = exif.uprightSize(storedWidth: image.width, storedHeight: image.height)
        var bytes = Data(count: upright.count)
        for y in 0..<image.height {
            for x in 0..<image.width {
                let place = exif.storedPosition(
                    uprightX: x, uprightY: y, storedWidth: stored.width, storedHeight: stored.height)
                for channel in 0..<4 {
                    bytes[4 * (place.y * stored.width + place.x) + channel] =
                        upright[4 * (y * image.width + x) + channel]
                }
            }
        }
        return CMSampleBuffer(
            imageBuffer: CVPixelBuffer(
                width: stored.width, height: stored.height, pixelFormatType: kCVPixelFormatType_32BGRA,
                planes: [.init(bytes, bytesPerRow: 4 * stored.width)]))
    }

    @Test("a camera's frame, turned as the device is held")
    func frames() throws {
        #expect(UIDevice.current.orientation == .unknown, "nobody has said how the device is held")
        let image = try #require(Digit.seven.cgImage)
        let labeler = try labeler()
        let holds: [UIDeviceOrientation] = [
            .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceUp, .faceDown, .unknown,
        ]
        for (index, hold) in holds.enumerated() {
            let cameraPosition: AVCaptureDevice.Position = index.isMultiple(of: 2) ? .back : .front
            let seen = imageOrientation(deviceOrientation: hold, cameraPosition: cameraPosition)
            let sampleBuffer = try frame(of: image, seen: seen)
            UIDevice.current.orientation = hold

            let visionImage = VisionImage(buffer: sampleBuffer)
            visionImage.orientation = imageOrientation(
                deviceOrientation: UIDevice.current.orientation,
                cameraPosition: cameraPosition)
            #expect(try labeler.results(in: visionImage).first?.text == "7", "\(hold) \(cameraPosition)")
        }
        UIDevice.current.orientation = .unknown
    }
}
