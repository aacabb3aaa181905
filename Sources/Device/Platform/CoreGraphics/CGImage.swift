#if !canImport(CoreGraphics)
    public import Foundation

    /// Stand-in for CoreGraphics' picture: 8 bits a component, red, green and blue, opaque. It never changes; use it from
    /// any thread.
    ///
    /// Make one from bytes (`init(rgb:width:height:)`), from a context (`CGContext.makeImage()`), or take a `UIImage`'s.
    /// Missing: `CGDataProvider`, masks, cropping, other depths and colour spaces, and transparency: the alpha byte of a
    /// picture is not looked at.
    public final class CGImage: Sendable {
        /// In pixels, at least 1.
        public let width: Int
        /// In pixels, at least 1.
        public let height: Int
        /// Alpha and byte order: together with `bitsPerPixel` the order of the bytes in a pixel.
        public let bitmapInfo: CGBitmapInfo
        /// The pixels, rows from the top without padding. Hearth's addition.
        public let bytes: Data

        package let layout: BitmapLayout

        /// 8.
        public var bitsPerComponent: Int { 8 }
        /// 24 or 32.
        public var bitsPerPixel: Int { layout.bytesPerPixel * 8 }
        /// From the start of a row to the start of the next.
        public var bytesPerRow: Int { width * layout.bytesPerPixel }

        public var colorSpace: CGColorSpace? { .deviceRGB }

        public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }

        /// A picture of red, green and blue bytes, interleaved, rows from the top without padding. Hearth's addition.
        ///
        /// The bytes are not copied; `Data` copies them by itself if somebody else goes on to change them.
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

        /// The caller has checked that the sizes fit together.
        init(width: Int, height: Int, layout: BitmapLayout, bitmapInfo: CGBitmapInfo, bytes: Data) {
            self.width = width
            self.height = height
            self.layout = layout
            self.bitmapInfo = bitmapInfo
            self.bytes = bytes
        }
    }

#endif
