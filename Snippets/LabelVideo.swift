import Foundation
import HearthVision

// Labels raw video from standard input, as `ffmpeg -i FILE -vf scale=640:480 -pix_fmt nv12 -f rawvideo -` writes it.
let (width, height) = (640, 480)
let model = LocalModel(path: CommandLine.arguments[1])
let labeler = ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(localModel: model))
let frameBytes = width * height * 3 / 2

while let frame = try FileHandle.standardInput.read(upToCount: frameBytes), frame.count == frameBytes {
    let buffer = CVPixelBuffer(
        width: width, height: height, pixelFormatType: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
        planes: [
            .init(frame.prefix(width * height), bytesPerRow: width),
            .init(frame.dropFirst(width * height), bytesPerRow: width),
        ])
    let image = VisionImage(buffer: CMSampleBuffer(imageBuffer: buffer))
    image.orientation = .up  // how the camera is mounted
    print(try labeler.results(in: image).first?.text ?? "nothing")
}
