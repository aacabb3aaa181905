// The public interface of HearthImaging. Written by scripts/api; do not edit.

public struct DecodeTarget : Sendable, Hashable {
    public var width: Int
    public var height: Int
    public var placement: ImagePlacement
    public var region: PixelRect?
    public var orientation: ImageOrientation?
    public var oversampling: Double
    public static func defaultOversampling(width: Int, height: Int) -> Double
    public init(width: Int, height: Int, placement: ImagePlacement = .stretch, region: PixelRect? = nil, orientation: ImageOrientation? = nil, oversampling: Double? = nil)
}
public struct DecodedImage : Sendable {
    public let pixels: PixelImage
    public var orientation: ImageOrientation
    public let isPartial: Bool
    public let storedSize: (width: Int, height: Int)
    public init(pixels: PixelImage, orientation: ImageOrientation = .up)
    public var uprightSize: (width: Int, height: Int) { get }
    public func upright(orientation: ImageOrientation? = nil) throws(ImageError) -> PixelImage
}
public enum EncodedImageFormat : String, Sendable, Hashable, CaseIterable {
    case jpeg
    case png
    public init(path: String) throws(ImageError)
}
public struct ImageDecodeOptions : Sendable, Hashable {
    public var limits: ImageLimits
    public var allowPartial: Bool
    public var allowsScaledDecode: Bool
    public init(limits: ImageLimits = ImageLimits(), allowPartial: Bool = false, allowsScaledDecode: Bool = true)
}
public enum ImageDecoder {
    public static func decode(contentsOfFile path: String, options: ImageDecodeOptions = ImageDecodeOptions(), covering target: DecodeTarget? = nil) throws(ImageError) -> DecodedImage
    public static func decode(_ data: Data, options: ImageDecodeOptions = ImageDecodeOptions(), covering target: DecodeTarget? = nil) throws(ImageError) -> DecodedImage
}
public struct ImageEncodeOptions : Sendable, Hashable {
    public enum ChromaSubsampling : Sendable, Hashable {
        case none
        case quarter
    }
    public var jpegQuality: Int
    public var chromaSubsampling: ImageEncodeOptions.ChromaSubsampling
    public var pngCompressionLevel: Int
    public init(jpegQuality: Int = 90, chromaSubsampling: ImageEncodeOptions.ChromaSubsampling = .none, pngCompressionLevel: Int = 1)
}
public enum ImageEncoder {
    public static func encode(_ image: PixelImage, as format: EncodedImageFormat, options: ImageEncodeOptions = ImageEncodeOptions()) throws(ImageError) -> Data
    public static func write(_ image: PixelImage, toFile path: String, options: ImageEncodeOptions = ImageEncodeOptions()) throws(ImageError)
}
public struct ImageError : LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public struct Code : RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String)
        public static let empty: ImageError.Code
        public static let notAnImage: ImageError.Code
        public static let unsupportedFormat: ImageError.Code
        public static let truncated: ImageError.Code
        public static let corrupt: ImageError.Code
        public static let tooLarge: ImageError.Code
        public static let outOfMemory: ImageError.Code
        public static let notFound: ImageError.Code
        public static let unreadableFile: ImageError.Code
        public static let invalidPixels: ImageError.Code
        public static let invalidRegion: ImageError.Code
        public static let invalidTensorSize: ImageError.Code
        public static let wrongBufferSize: ImageError.Code
        public static let invalidNormalization: ImageError.Code
    }
    public let code: ImageError.Code
    public let message: String
    public let cause: (any Error)?
    public init(_ code: ImageError.Code, _ message: String, cause: (any Error)? = nil)
    public static func == (left: ImageError, right: ImageError) -> Bool
    public func hash(into hasher: inout Hasher)
    public var description: String { get }
    public var errorDescription: String? { get }
}
extension ImageError.Code {
    public static let unknownExtension: ImageError.Code
    public static let invalidOption: ImageError.Code
    public static let encodingFailed: ImageError.Code
    public static let unwritableFile: ImageError.Code
    public static let noSpace: ImageError.Code
}
public struct ImageLimits : Sendable, Hashable {
    public var maxFileBytes: Int
    public var maxPixels: Int
    public var maxSide: Int
    public var maxScans: Int
    public var maxScanPixels: Int
    public init(maxFileBytes: Int = 128 << 20, maxPixels: Int = 100_000_000, maxSide: Int = 65_535, maxScans: Int = 100, maxScanPixels: Int = 1_000_000_000)
}
public enum ImageMemory {
    public static var unusedByteCount: Int { get }
    public static func releaseUnused()
}
public enum ImageOrientation : UInt8, Sendable, Hashable, CaseIterable {
    case up
    case upMirrored
    case down
    case downMirrored
    case leftMirrored
    case right
    case rightMirrored
    case left
    public var swapsSides: Bool { get }
    public func uprightSize(storedWidth: Int, storedHeight: Int) -> (width: Int, height: Int)
    public func storedPosition(uprightX x: Int, uprightY y: Int, storedWidth: Int, storedHeight: Int) -> (x: Int, y: Int)
}
public enum ImagePlacement : Sendable, Hashable {
    case stretch
    case fit(background: UInt8 = 0)
    case crop
}
public enum ImageResampling : Sendable, Hashable {
    case bilinear
    case antialiased
}
public enum PixelFormat : Sendable, Hashable, CaseIterable {
    case rgb
    case rgba
    case bgra
    case xrgb
    case gray
    case nv12
    case nv21
    case i420
    public var planeCount: Int { get }
}
public struct PixelImage : Sendable {
    public let width: Int
    public let height: Int
    public let format: PixelFormat
    public let colorSpace: YUVColorSpace
    public struct Plane : Sendable {
        public var bytes: Data
        public var bytesPerRow: Int
        public init(_ bytes: Data, bytesPerRow: Int)
    }
    public init(format: PixelFormat, width: Int, height: Int, planes: [PixelImage.Plane], colorSpace: YUVColorSpace = YUVColorSpace()) throws(ImageError)
    public var byteCount: Int { get }
    public func withUnsafeBytes<Result, Failure>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result where Failure : Error
}
extension PixelImage {
    public func rgb() throws(ImageError) -> PixelImage
}
public struct PixelRect : Sendable, Hashable, CustomStringConvertible {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int
    public init(x: Int, y: Int, width: Int, height: Int)
    public var description: String { get }
}
public struct YUVColorSpace : Sendable, Hashable {
    public enum Matrix : Sendable, Hashable {
        case bt601
        case bt709
    }
    public enum Range : Sendable, Hashable {
        case video
        case full
    }
    public var matrix: YUVColorSpace.Matrix
    public var range: YUVColorSpace.Range
    public init(matrix: YUVColorSpace.Matrix = .bt601, range: YUVColorSpace.Range = .video)
}
