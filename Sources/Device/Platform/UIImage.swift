#if !canImport(UIKit)
    public import Foundation
    #if canImport(CoreGraphics)
        public import CoreGraphics
    #endif

    /// Stand-in for UIKit's image: a `CGImage` and its orientation. It never changes; use it from any thread.
    ///
    /// `import HearthVision` adds `init(contentsOfFile:)` and `init(data:)`. Missing: drawing, resizing, named images,
    /// encoders, symbols, animation.
    public final class UIImage: NSObject, Sendable {
        /// How to rotate or mirror the image so that it is upright. Raw values are UIKit's, not EXIF's.
        public enum Orientation: Int, Sendable {
            /// Upright as stored.
            case up = 0
            /// Rotate by 180 degrees.
            case down = 1
            /// Rotate by 90 degrees counterclockwise.
            case left = 2
            /// Rotate by 90 degrees clockwise.
            case right = 3
            /// Mirror left to right.
            case upMirrored = 4
            /// Mirror top to bottom.
            case downMirrored = 5
            /// Exchange rows and columns.
            case leftMirrored = 6
            /// Exchange rows and columns, both counted from the opposite end.
            case rightMirrored = 7
        }

        /// The pixels as stored; nil for an image created with `init()`.
        public let cgImage: CGImage?
        /// How to rotate or mirror the pixels.
        public let imageOrientation: Orientation
        /// The number of pixels per point.
        public let scale: CGFloat

        /// Creates an empty image.
        public override init() {
            cgImage = nil
            imageOrientation = .up
            scale = 1
            super.init()
        }

        /// Creates an image that is stored upright, with one pixel per point.
        public convenience init(cgImage: CGImage) {
            self.init(cgImage: cgImage, scale: 1, orientation: .up)
        }

        /// Creates an image with an orientation.
        /// - Parameters:
        ///   - cgImage: The pixels as stored.
        ///   - scale: The number of pixels per point; 1 if it is not a positive number.
        ///   - orientation: How to rotate or mirror the pixels.
        public init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
            self.cgImage = cgImage
            self.scale = scale > 0 && scale.isFinite ? scale : 1
            imageOrientation = orientation
            super.init()
        }

        /// The size of the upright image in points; zero for an empty one.
        public var size: CGSize {
            guard let cgImage else { return .zero }
            let (width, height) = (CGFloat(cgImage.width) / scale, CGFloat(cgImage.height) / scale)
            return switch imageOrientation {
            case .up, .down, .upMirrored, .downMirrored: CGSize(width: width, height: height)
            case .left, .right, .leftMirrored, .rightMirrored: CGSize(width: height, height: width)
            }
        }
    }

#endif
