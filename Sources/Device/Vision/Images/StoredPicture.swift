import Foundation
import HearthImaging
import HearthPlatform
import Synchronization

/// A picture as the app gave it and how it is to be turned. It is decoded when it is wanted, and then kept decoded.
final class StoredPicture: Sendable {
    enum Origin: Sendable {
        case data(Data, ImageDecodeOptions)
        case file(String, ImageDecodeOptions)
        /// Raw pixels, or why there are none: that is told to whoever wants them.
        case pixels(Result<PixelImage, ImageError>)
    }

    private struct Decoded {
        var image: DecodedImage
        var target: DecodeTarget?

        func covers(_ other: DecodeTarget?) -> Bool {
            let isWhole = (image.pixels.width, image.pixels.height) == image.storedSize
            guard !isWhole else { return true }
            guard let target, let other else { return false }
            // Of one part of the picture the larger copy serves for the smaller one.
            let isSamePart =
                (target.placement, target.region, target.orientation)
                == (other.placement, other.region, other.orientation)
            let (own, needed) = (target.coveredSize, other.coveredSize)
            return isSamePart && own.width >= needed.width && own.height >= needed.height
        }
    }

    private let origin: Origin
    private let decoded = Mutex<Decoded?>(nil)
    private let chosenOrientation: Mutex<ImageOrientation?>

    /// - Parameter orientation: nil: what the file says.
    init(_ origin: Origin, orientation: ImageOrientation?) {
        self.origin = origin
        chosenOrientation = Mutex(orientation)
    }

    var orientation: UIImage.Orientation {
        get { UIImage.Orientation(chosenOrientation.withLock { $0 } ?? statedOrientation) }
        set { chosenOrientation.withLock { $0 = ImageOrientation(newValue) } }
    }

    func picture(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        let orientation = chosenOrientation.withLock { $0 }
        var target = target
        if let orientation { target?.orientation = orientation }
        var image = try stored(covering: target)
        if let orientation { image.orientation = orientation }
        return image
    }

    /// Width and height of the upright original in pixels; nil as long as nothing was decoded.
    var uprightSize: (width: Int, height: Int)? {
        let orientation = chosenOrientation.withLock { $0 }
        guard var image = decoded.withLock({ $0?.image }) else { return nil }
        if let orientation { image.orientation = orientation }
        return image.uprightSize
    }

    /// Of what was decoded already, else of the smallest picture that the decoder makes.
    private var statedOrientation: ImageOrientation {
        if let image = decoded.withLock({ $0?.image }) { return image.orientation }
        return (try? stored(covering: DecodeTarget(width: 1, height: 1)))?.orientation ?? .up
    }

    private func stored(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        try decoded.withLock { decoded throws(ImageError) in
            if let decoded, decoded.covers(target) { return decoded.image }
            let image = try origin.decode(covering: target)
            decoded = Decoded(image: image, target: target)
            return image
        }
    }
}

extension DecodeTarget {
    /// How many pixels a decoder leaves at least of what the model sees.
    fileprivate var coveredSize: (width: Double, height: Double) {
        let cover = max(cover, 1)
        return (Double(width) * cover, Double(height) * cover)
    }
}

extension StoredPicture.Origin {
    fileprivate func decode(covering target: DecodeTarget?) throws(ImageError) -> DecodedImage {
        switch self {
        case .data(let data, let options): try ImageDecoder.decode(data, options: options, covering: target)
        case .file(let path, let options):
            try ImageDecoder.decode(contentsOfFile: path, options: options, covering: target)
        case .pixels(let pixels): DecodedImage(pixels: try pixels.get())
        }
    }
}
