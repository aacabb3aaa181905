public import Foundation
public import HearthImaging
import Synchronization

/// What labelers and detectors take. Not for apps to conform to.
public protocol MLKitCompatibleImage: NSObjectProtocol {}

/// A picture for labeling: the bytes of a JPEG or PNG file. The orientation that the file states is applied.
///
/// It is decoded at its first use and then kept decoded; whoever uses it reports what is wrong with it. Use it from any
/// thread.
public final class VisionImage: NSObject, MLKitCompatibleImage, Sendable {
    private enum Source: Sendable {
        case data(Data)
        case file(String)
    }

    private let source: Source
    private let options: ImageDecodeOptions
    private let decoded = Mutex<DecodedImage?>(nil)

    /// A picture in memory. The format is told by the bytes.
    public init(data: Data, options: ImageDecodeOptions = ImageDecodeOptions()) {
        source = .data(data)
        self.options = options
    }

    /// A picture file; read at the first use.
    public init(contentsOfFile path: String, options: ImageDecodeOptions = ImageDecodeOptions()) {
        source = .file(path)
        self.options = options
    }

    /// The pixels, enough of them for `target`. Blocks while it decodes; other threads that want them wait for the first.
    func picture(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try decoded.withLock { decoded throws(ImageError) in
            if let decoded { return decoded }
            let image =
                switch source {
                case .data(let data): try ImageDecoder.decode(data, options: options)
                case .file(let path): try ImageDecoder.decode(contentsOfFile: path, options: options)
                }
            decoded = image
            return image
        }
    }
}
