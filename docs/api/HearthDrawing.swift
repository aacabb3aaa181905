// The public interface of HearthDrawing. Written by scripts/api; do not edit.

@_exported import HearthImaging
public struct AnnotatedImage : Sendable {
    public let pixels: HearthImaging.PixelImage
    public let isFontMissing: Bool
}
public struct AnnotationRenderer : Sendable {
    public var style: AnnotationStyle
    public init(style: AnnotationStyle = AnnotationStyle())
    public func draw(_ boxes: [BoxAnnotation], caption: [LabelAnnotation] = [], on image: HearthImaging.PixelImage) throws(DrawingError) -> AnnotatedImage
}
public struct AnnotationStyle : Sendable, Hashable {
    public var fontPath: String?
    public var scale: Double
    public var palette: [RGBColor]
    public init(fontPath: String? = nil, scale: Double = 1, palette: [RGBColor] = RGBColor.colorBlindPalette)
}
public struct BoxAnnotation : Sendable, Hashable {
    public var frame: CGRect
    public var text: String
    public var confidence: Float?
    public var colorIndex: Int
    public init(frame: CGRect, text: String = "", confidence: Float? = nil, colorIndex: Int = 0)
}
public struct DrawingError : LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public struct Code : RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String)
        public static let fontNotFound: DrawingError.Code
        public static let fontUnusable: DrawingError.Code
        public static let outOfMemory: DrawingError.Code
    }
    public let code: DrawingError.Code
    public let message: String
    public let cause: (any Error)?
    public init(_ code: DrawingError.Code, _ message: String, cause: (any Error)? = nil)
    public static func == (left: DrawingError, right: DrawingError) -> Bool
    public func hash(into hasher: inout Hasher)
    public var description: String { get }
    public var errorDescription: String? { get }
}
public struct LabelAnnotation : Sendable, Hashable {
    public var text: String
    public var confidence: Float?
    public init(text: String, confidence: Float? = nil)
}
public struct RGBColor : Sendable, Hashable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8
    public init(red: UInt8, green: UInt8, blue: UInt8)
    public static let black: RGBColor
    public static let white: RGBColor
    public static let colorBlindPalette: [RGBColor]
}
