// The public interface of HearthPlatform. Written by scripts/api; do not edit.

public enum AVCaptureDevice {
    public enum Position : Int, Sendable {
        case unspecified
        case back
        case front
    }
}
final public class CFAllocator : Sendable {
}
public typealias CFDictionary = NSDictionary
public struct CGBitmapInfo : OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32)
    public static let alphaInfoMask: CGBitmapInfo
    public static let floatComponents: CGBitmapInfo
    public static let byteOrderMask: CGBitmapInfo
    public static let byteOrder16Little: CGBitmapInfo
    public static let byteOrder32Little: CGBitmapInfo
    public static let byteOrder16Big: CGBitmapInfo
    public static let byteOrder32Big: CGBitmapInfo
}
final public class CGColorSpace : Sendable {
}
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace
final public class CGContext {
    public let width: Int
    public let height: Int
    public let bytesPerRow: Int
    public let bitmapInfo: CGBitmapInfo
    public let data: UnsafeMutableRawPointer?
    public let colorSpace: CGColorSpace?
    public var bitsPerComponent: Int { get }
    public var bitsPerPixel: Int { get }
    public var alphaInfo: CGImageAlphaInfo { get }
    public init?(data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int, space: CGColorSpace, bitmapInfo: UInt32)
    deinit
    public func draw(_ image: CGImage, in rect: CGRect)
    public func makeImage() -> CGImage?
}
final public class CGImage : Sendable {
    public let width: Int
    public let height: Int
    public let bitmapInfo: CGBitmapInfo
    public let bytes: Data
    public var bitsPerComponent: Int { get }
    public var bitsPerPixel: Int { get }
    public var bytesPerRow: Int { get }
    public var colorSpace: CGColorSpace? { get }
    public var alphaInfo: CGImageAlphaInfo { get }
    public convenience init?(rgb bytes: Data, width: Int, height: Int)
}
public enum CGImageAlphaInfo : UInt32, Sendable {
    case none
    case premultipliedLast
    case premultipliedFirst
    case last
    case first
    case noneSkipLast
    case noneSkipFirst
    case alphaOnly
}
final public class CMSampleBuffer : Sendable {
    public let imageBuffer: CVImageBuffer?
    public init(imageBuffer: CVImageBuffer?)
}
public func CMSampleBufferGetImageBuffer(_ sampleBuffer: CMSampleBuffer) -> CVImageBuffer?
public typealias CVImageBuffer = CVPixelBuffer
public typealias CVOptionFlags = UInt64
final public class CVPixelBuffer : Sendable {
    public struct Plane : Sendable {
        public var bytes: Data
        public var bytesPerRow: Int
        public init(_ bytes: Data, bytesPerRow: Int)
    }
    public let width: Int
    public let height: Int
    public let pixelFormatType: OSType
    public var planes: [CVPixelBuffer.Plane] { get }
    public init(width: Int, height: Int, pixelFormatType: OSType, planes: [CVPixelBuffer.Plane])
}
public func CVPixelBufferCreate(_ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>) -> CVReturn
public func CVPixelBufferCreateWithBytes(_ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType, _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?, _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>) -> CVReturn
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer?
public func CVPixelBufferGetBaseAddressOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> UnsafeMutableRawPointer?
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool
@discardableResult
public func CVPixelBufferLockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags) -> CVReturn
public struct CVPixelBufferLockFlags : OptionSet, Sendable {
    public let rawValue: CVOptionFlags
    public init(rawValue: CVOptionFlags)
    public static let readOnly: CVPixelBufferLockFlags
}
public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void
@discardableResult
public func CVPixelBufferUnlockBaseAddress(_ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags) -> CVReturn
public typealias CVReturn = Int32
public typealias OSType = UInt32
final public class UIDevice : NSObject, Sendable {
    public static let current: UIDevice
    public var orientation: UIDeviceOrientation
}
public enum UIDeviceOrientation : Int, Sendable {
    case unknown
    case portrait
    case portraitUpsideDown
    case landscapeLeft
    case landscapeRight
    case faceUp
    case faceDown
}
final public class UIImage : NSObject, Sendable {
    public enum Orientation : Int, Sendable {
        case up
        case down
        case left
        case right
        case upMirrored
        case downMirrored
        case leftMirrored
        case rightMirrored
    }
    public let cgImage: CGImage?
    public let imageOrientation: UIImage.Orientation
    public let scale: CGFloat
    override public init()
    public convenience init(cgImage: CGImage)
    public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation)
    public var size: CGSize { get }
}
public let kCFAllocatorDefault: CFAllocator?
public let kCVPixelBufferCGBitmapContextCompatibilityKey: String
public let kCVPixelBufferCGImageCompatibilityKey: String
public let kCVPixelBufferHeightKey: String
public let kCVPixelBufferPixelFormatTypeKey: String
public let kCVPixelBufferWidthKey: String
public let kCVPixelFormatType_32BGRA: OSType
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType
public let kCVReturnAllocationFailed: CVReturn
public let kCVReturnInvalidArgument: CVReturn
public let kCVReturnInvalidPixelFormat: CVReturn
public let kCVReturnInvalidSize: CVReturn
public let kCVReturnSuccess: CVReturn
public var kCVPixelBufferPixelFormatTypeKey: String
public var kCVPixelBufferWidthKey: String
public var kCVPixelBufferHeightKey: String
public var kCVPixelBufferCGImageCompatibilityKey: String
public var kCVPixelBufferCGBitmapContextCompatibilityKey: String
public var kCFAllocatorDefault: CFAllocator?
public var kCVReturnSuccess: CVReturn
public var kCVReturnInvalidArgument: CVReturn
public var kCVReturnAllocationFailed: CVReturn
public var kCVReturnInvalidPixelFormat: CVReturn
public var kCVReturnInvalidSize: CVReturn
public var kCVPixelFormatType_32BGRA: OSType
public var kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType
public var kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType
