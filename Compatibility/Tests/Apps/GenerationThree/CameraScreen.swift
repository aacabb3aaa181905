import MLKit

/// Looks at frames of a camera, here of one that always sees the same image.
class CameraScreen {
    let image: UIImage
    let remoteModel: RemoteModel

    init(image: UIImage, remoteModel: RemoteModel) {
        self.image = image
        self.remoteModel = remoteModel
    }

    func imageOrientation(
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

    /// What the camera would deliver: 32BGRA.
    private func sampleBuffer() -> CMSampleBuffer? {
        guard let bitmap = image.cgImage,
            let context = CGContext(
                data: nil, width: bitmap.width, height: bitmap.height, bitsPerComponent: 8,
                bytesPerRow: bitmap.width * 4, space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGBitmapInfo.byteOrder32Little.rawValue | CGImageAlphaInfo.noneSkipFirst.rawValue)
        else { return nil }
        context.draw(bitmap, in: CGRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
        guard let drawn = context.makeImage() else { return nil }
        return CMSampleBuffer(
            imageBuffer: CVPixelBuffer(
                width: drawn.width, height: drawn.height, pixelFormatType: kCVPixelFormatType_32BGRA,
                planes: [.init(drawn.bytes, bytesPerRow: drawn.bytesPerRow)]))
    }

    func label(with imageLabeler: ImageLabeler) {
        guard let sampleBuffer = sampleBuffer() else { return print("no frame") }
        let cameraPosition = AVCaptureDevice.Position.back
        let image = VisionImage(buffer: sampleBuffer)
        image.orientation = imageOrientation(
            deviceOrientation: UIDevice.current.orientation,
            cameraPosition: cameraPosition)

        var labels: [ImageLabel]
        do {
            labels = try imageLabeler.results(in: image)
        } catch let error {
            print("Failed to label the frame: \(error.localizedDescription)")
            return
        }
        print("frame \(labels.first?.text ?? "nothing")")

        guard let mlImage = MLImage(sampleBuffer: sampleBuffer) else { return print("no image") }
        mlImage.orientation = image.orientation
        print("image \((try? imageLabeler.results(in: mlImage))?.first?.text ?? "nothing")")
    }

    func detect() {
        let options = CustomObjectDetectorOptions(remoteModel: remoteModel as! CustomRemoteModel)
        options.detectorMode = .singleImage
        options.shouldEnableClassification = true
        options.shouldEnableMultipleObjects = true
        options.classificationConfidenceThreshold = NSNumber(value: 0.1)
        options.maxPerObjectLabelCount = 1
        let detector = ObjectDetector.objectDetector(options: options)
        do {
            let objects: [Object] = try detector.results(in: VisionImage(image: image))
            for object in objects {
                print(
                    "object \(object.labels.first?.text ?? "nothing"), tracked \(object.trackingID?.stringValue ?? "no")"
                )
                print("in \(object.frame)")
            }
        } catch {
            print("Failed to detect: \(error.localizedDescription)")
        }
    }
}
