#if !canImport(CoreGraphics)
    public import Foundation

    /// Stand-in for CoreGraphics' image: opaque, with red, green and blue components of 8 bits. It never changes; use
    /// it from any thread.
    ///
    /// Create one from bytes (`init(rgb:width:height:)`) or from a context (`CGContext.makeImage()`), or use a
    /// `UIImage`'s. Missing: `CGDataProvider`, masks, cropping, other depths and colour spaces, and transparency: the
    /// alpha byte of an image is ignored.
    public final class CGImage: Sendable {
        /// The width in pixels, at least 1.
        public let width: Int
        /// The height in pixels, at least 1.
        public let height: Int
        /// Alpha and byte order. Together with ``bitsPerPixel`` they define the order of the bytes in a pixel.
        public let bitmapInfo: CGBitmapInfo
        /// The pixels, rows from the top, without padding. Hearth's addition.
        public let bytes: Data

        package let layout: BitmapLayout

        /// The bits of one component: 8.
        public var bitsPerComponent: Int { 8 }
        /// The bits of one pixel: 24 or 32.
        public var bitsPerPixel: Int { layout.bytesPerPixel * 8 }
        /// The bytes from the start of a row to the start of the next.
        public var bytesPerRow: Int { width * layout.bytesPerPixel }

        /// The colour space; never nil here.
        public var colorSpace: CGColorSpace? { .deviceRGB }

        /// The meaning and position of the fourth byte.
        public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }

        /// Creates an image from interleaved bytes of red, green and blue, rows from the top, without padding. Hearth's
        /// addition.
        ///
        /// The bytes are not copied. `Data` itself copies them if other code later changes them.
        ///
        /// - Returns: nil unless both sides are at least 1 and there are exactly `width * height * 3` bytes.
        public convenience init?(rgb bytes: Data, width: Int, height: Int) {
            guard width > 0, height > 0 else { return nil }
            let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
            guard !overflow, bytes.count.isMultiple(of: 3), bytes.count / 3 == pixels else { return nil }
            self.init(
                width: width, height: height, layout: .rgb,
                bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), bytes: bytes)
        }

        /// The caller has checked that the sizes match.
        init(width: Int, height: Int, layout: BitmapLayout, bitmapInfo: CGBitmapInfo, bytes: Data) {
            self.width = width
            self.height = height
            self.layout = layout
            self.bitmapInfo = bitmapInfo
            self.bytes = bytes
        }
    }

    /// Whether a pixel has a fourth byte, its position and its meaning. Raw values are CoreGraphics'.
    ///
    /// The order is that of a 32-bit number, highest byte first: `noneSkipFirst` is X, R, G, B in memory, unless
    /// `CGBitmapInfo.byteOrder32Little` reverses it to B, G, R, X.
    public enum CGImageAlphaInfo: UInt32, Sendable {
        /// Three bytes per pixel.
        case none = 0
        /// The fourth byte comes last and is alpha, multiplied into the colours.
        case premultipliedLast = 1
        /// The fourth byte comes first and is alpha, multiplied into the colours.
        case premultipliedFirst = 2
        /// The fourth byte comes last and is alpha. Not for contexts.
        case last = 3
        /// The fourth byte comes first and is alpha. Not for contexts.
        case first = 4
        /// The fourth byte comes last and is ignored.
        case noneSkipLast = 5
        /// The fourth byte comes first and is ignored.
        case noneSkipFirst = 6
        /// There is only alpha. Not for contexts.
        case alphaOnly = 7
    }

    /// A `CGImageAlphaInfo` and a byte order in one number. Raw values are CoreGraphics'.
    public struct CGBitmapInfo: OptionSet, Sendable {
        /// The number that CoreGraphics uses.
        public let rawValue: UInt32

        /// Creates a value from CoreGraphics' number.
        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The bits that hold the `CGImageAlphaInfo`.
        public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
        /// Components are floating-point numbers. Not for contexts here.
        public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
        /// The bits that hold the byte order. No byte order means the same as ``byteOrder32Big`` here.
        public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
        /// 16-bit numbers, lowest byte first. Not for contexts here.
        public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
        /// 32-bit numbers, lowest byte first: the last-named component comes first in memory.
        public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
        /// 16-bit numbers, highest byte first. Not for contexts here.
        public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
        /// 32-bit numbers, highest byte first: the first-named component comes first in memory.
        public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)

        var alphaInfo: CGImageAlphaInfo {
            CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) ?? .none
        }
    }

    /// The order of a pixel's components in memory.
    package enum BitmapLayout: Sendable {
        case rgb, xrgb, rgbx, bgrx

        /// The layouts that contexts support; nil for all others.
        init?(contextInfo: UInt32) {
            let info = CGBitmapInfo(rawValue: contextInfo)
            let known: CGBitmapInfo = [.alphaInfoMask, .byteOrderMask]
            guard info.isSubset(of: known) else { return nil }
            let isLittle: Bool
            switch info.intersection(.byteOrderMask) {
            case [], .byteOrder32Big: isLittle = false
            case .byteOrder32Little: isLittle = true
            default: return nil
            }
            switch (CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue), isLittle) {
            case (.noneSkipFirst, false), (.premultipliedFirst, false): self = .xrgb
            case (.noneSkipFirst, true), (.premultipliedFirst, true): self = .bgrx
            case (.noneSkipLast, false), (.premultipliedLast, false): self = .rgbx
            default: return nil
            }
        }

        var bytesPerPixel: Int { self == .rgb ? 3 : 4 }

        /// In bytes from the pixel's start; `filler` is the byte without a colour.
        var offsets: (red: Int, green: Int, blue: Int, filler: Int?) {
            switch self {
            case .rgb: (0, 1, 2, nil)
            case .xrgb: (1, 2, 3, 0)
            case .rgbx: (0, 1, 2, 3)
            case .bgrx: (2, 1, 0, 3)
            }
        }
    }
#endif
