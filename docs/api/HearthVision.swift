// The public interface of HearthVision. Written by scripts/api; do not edit.

@_exported import HearthImaging
@_exported import HearthModelSource
@_exported import HearthPlatform
final public class BoxDetector : Sendable {
    public var callbackQueue: DispatchQueue
    public convenience init(model: HearthModelSource.LocalModel, options: BoxDetectorOptions = BoxDetectorOptions()) throws
    public convenience init(remoteModel: HearthModelSource.CustomRemoteModel, options: BoxDetectorOptions = BoxDetectorOptions())
    public func checkModel() throws
    public func boxes(in image: any MLKitCompatibleImage, region: HearthImaging.PixelRect? = nil) throws -> [DetectedBox]
    public func process(_ image: any MLKitCompatibleImage, region: HearthImaging.PixelRect? = nil) async throws -> [DetectedBox]
    public func process(_ image: any MLKitCompatibleImage, region: HearthImaging.PixelRect? = nil, completion: @escaping ([DetectedBox]?, (any Error)?) -> Void)
    public func resetState() throws
}
public struct BoxDetectorOptions : Sendable {
    public var scoreThreshold: Float?
    public var maxBoxCount: Int
    public var labelsLocale: String
    public var labelOffset: Int?
    public var threadCount: Int?
    public var placement: HearthImaging.ImagePlacement?
    public var resampling: HearthImaging.ImageResampling
    public var overlapThreshold: Float
    public var tracksObjects: Bool
    public init()
}
open class CommonImageLabelerOptions : NSObject {
    public var confidenceThreshold: NSNumber?
}
open class CommonObjectDetectorOptions : NSObject {
    public var shouldEnableClassification: Bool
    public var shouldEnableMultipleObjects: Bool
    public var detectorMode: ObjectDetectorMode
}
open class CustomImageLabelerOptions : CommonImageLabelerOptions {
    public var maxResultCount: Int
    public var threadCount: Int?
    public var placement: HearthImaging.ImagePlacement
    public var resampling: HearthImaging.ImageResampling
    public var labelsLocale: String
    public var allowedLabels: [String]
    public var deniedLabels: [String]
    public init(localModel: HearthModelSource.LocalModel)
    public init(localModel: HearthModelSource.LocalModel?)
    public init(remoteModel: HearthModelSource.CustomRemoteModel)
}
open class CustomObjectDetectorOptions : CommonObjectDetectorOptions {
    public var classificationConfidenceThreshold: NSNumber?
    public var maxPerObjectLabelCount: Int
    public var threadCount: Int?
    public var placement: HearthImaging.ImagePlacement
    public var resampling: HearthImaging.ImageResampling
    public var labelsLocale: String
    public init(localModel: HearthModelSource.LocalModel)
    public init(localModel: HearthModelSource.LocalModel?)
    public init(remoteModel: HearthModelSource.CustomRemoteModel)
}
public struct DetectedBox : Sendable, Hashable {
    public let frame: CGRect
    public let unclippedFrame: CGRect
    public let text: String
    public let index: Int
    public let confidence: Float
    public internal(set) var trackingID: Int? { get }
}
final public class ImageLabel : NSObject, Sendable {
    public let text: String
    public let index: Int
    public let confidence: Float
    override public var description: String { get }
}
final public class ImageLabeler : NSObject, Sendable {
    public var callbackQueue: DispatchQueue
    public class func imageLabeler(options: CommonImageLabelerOptions) -> ImageLabeler
    public class func imageLabeler(_ options: CommonImageLabelerOptions) -> ImageLabeler
    public func checkModel() throws
    public func results(in image: any MLKitCompatibleImage) throws -> [ImageLabel]
    public func results(in image: any MLKitCompatibleImage, region: HearthImaging.PixelRect) throws -> [ImageLabel]
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ImageLabelingCallback)
    public func process(_ image: any MLKitCompatibleImage) async throws -> [ImageLabel]
    public func process(_ image: any MLKitCompatibleImage, region: HearthImaging.PixelRect) async throws -> [ImageLabel]
}
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void
final public class LatestFrame<Frame, Answer> : Sendable where Frame : Sendable, Answer : Sendable {
    public init(work: @escaping @Sendable (Frame) throws -> Answer, deliver: @escaping @Sendable (Frame, Result<Answer, any Error>) -> Void)
    public var droppedCount: Int { get }
    public func offer(_ frame: Frame)
    public func stop()
    public func finish() async
    @available(*, noasync, message: "use await finish()")
    public func waitUntilFinished()
}
final public class MLImage : NSObject, MLKitCompatibleImage, Sendable {
    public let width: CGFloat
    public let height: CGFloat
    public let imageSourceType: MLImageSourceType
    public let image: HearthPlatform.UIImage?
    public let pixelBuffer: HearthPlatform.CVPixelBuffer?
    public let sampleBuffer: HearthPlatform.CMSampleBuffer?
    public var orientation: HearthPlatform.UIImage.Orientation
    public convenience init?(image: HearthPlatform.UIImage)
    public convenience init?(pixelBuffer: HearthPlatform.CVPixelBuffer)
    public convenience init?(sampleBuffer: HearthPlatform.CMSampleBuffer)
}
public enum MLImageSourceType : Int, Sendable {
    case image
    case pixelBuffer
    case sampleBuffer
}
public protocol MLKitCompatibleImage : NSObjectProtocol {
}
final public class Object : NSObject, Sendable {
    public let frame: CGRect
    public let labels: [ObjectLabel]
    public let trackingID: NSNumber?
    override public var description: String { get }
}
public typealias ObjectDetectionCallback = ([Object]?, (any Error)?) -> Void
final public class ObjectDetector : NSObject, Sendable {
    public var callbackQueue: DispatchQueue
    public class func objectDetector(options: CommonObjectDetectorOptions) -> ObjectDetector
    public class func objectDetector(_ options: CommonObjectDetectorOptions) -> ObjectDetector
    public func checkModel() throws
    public func results(in image: any MLKitCompatibleImage) throws -> [Object]
    public func process(_ image: any MLKitCompatibleImage, completion: @escaping ObjectDetectionCallback)
    public func process(_ image: any MLKitCompatibleImage) async throws -> [Object]
}
public struct ObjectDetectorMode : RawRepresentable, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int)
    public static let singleImage: ObjectDetectorMode
    public static let stream: ObjectDetectorMode
}
final public class ObjectLabel : NSObject, Sendable {
    public let text: String
    public let index: Int
    public let confidence: Float
    override public var description: String { get }
}
final public class VisionImage : NSObject, MLKitCompatibleImage, Sendable {
    public var orientation: HearthPlatform.UIImage.Orientation
    public init(image: HearthPlatform.UIImage)
    public init(buffer: HearthPlatform.CMSampleBuffer)
    public init(data: Data, options: HearthImaging.ImageDecodeOptions = ImageDecodeOptions())
    public init(contentsOfFile path: String, options: HearthImaging.ImageDecodeOptions = ImageDecodeOptions())
    public init(pixels: HearthImaging.PixelImage, orientation: HearthPlatform.UIImage.Orientation = .up)
}
extension UIImage {
    public convenience init?(contentsOfFile path: String)
    public convenience init?(data: Data)
}
extension ImageOrientation {
    public init(_ orientation: HearthPlatform.UIImage.Orientation)
}
extension UIImage.Orientation {
    public init(_ orientation: HearthImaging.ImageOrientation)
}
