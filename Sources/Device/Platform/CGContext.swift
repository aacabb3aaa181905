#if !canImport(CoreGraphics)
    public import Foundation

    /// Stand-in for a CoreGraphics bitmap context: memory into which images are drawn.
    ///
    /// It only draws images, opaque and scaled. Missing: transformations, clipping paths, text, colours, blending,
    /// interpolation qualities, and all pixel formats except those of the initialiser. As with the original, one
    /// context is for one thread at a time.
    public final class CGContext {
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// The bytes from the start of a row to the start of the next.
        public let bytesPerRow: Int
        /// The order of the bytes in a pixel.
        public let bitmapInfo: CGBitmapInfo
        /// The pixels, rows from the top. If the context allocated the memory, the pointer is valid only as long as the
        /// context lives.
        public let data: UnsafeMutableRawPointer?

        /// The colour space; never nil here.
        public let colorSpace: CGColorSpace?

        private let layout: BitmapLayout
        private let pixels: UnsafeMutableRawPointer
        private let ownsPixels: Bool

        /// The bits of one component: 8.
        public var bitsPerComponent: Int { 8 }
        /// The bits of one pixel: 32.
        public var bitsPerPixel: Int { 32 }

        /// The meaning and position of the fourth byte.
        public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }

        /// Creates a context over the caller's memory or, with `data: nil`, over zeroed memory of its own.
        ///
        /// - Parameters:
        ///   - data: At least `height * bytesPerRow` bytes that outlive the context. The context draws into this memory
        ///     and never frees it.
        ///   - width: The width in pixels, at least 1.
        ///   - height: The height in pixels, at least 1.
        ///   - bitsPerComponent: 8.
        ///   - bytesPerRow: At least `width * 4`; 0 means that number.
        ///   - space: The one colour space.
        ///   - bitmapInfo: `CGImageAlphaInfo.noneSkipFirst`, `.premultipliedFirst`, `.noneSkipLast` or
        ///     `.premultipliedLast`, with or without `CGBitmapInfo.byteOrder32Big`; the first two also with
        ///     `.byteOrder32Little`. In memory: XRGB, RGBX and BGRX.
        /// - Returns: nil for other arguments, for sizes whose number of bytes overflows, and when there is not enough
        ///   memory.
        public init?(
            data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
            space: CGColorSpace, bitmapInfo: UInt32
        ) {
            guard bitsPerComponent == 8, width > 0, height > 0, bytesPerRow >= 0,
                let layout = BitmapLayout(contextInfo: bitmapInfo)
            else { return nil }
            let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: layout.bytesPerPixel)
            let stride = bytesPerRow == 0 ? rowBytes : bytesPerRow
            let (byteCount, overflow) = stride.multipliedReportingOverflow(by: height)
            guard !rowOverflow, !overflow, stride >= rowBytes else { return nil }
            // calloc, because it reports a lack of memory instead of trapping.
            guard let pixels = data ?? calloc(byteCount, 1) else { return nil }
            ownsPixels = data == nil
            self.pixels = pixels
            self.data = pixels
            self.width = width
            self.height = height
            self.bytesPerRow = stride
            self.layout = layout
            self.bitmapInfo = CGBitmapInfo(rawValue: bitmapInfo)
            colorSpace = space
        }

        deinit {
            if ownsPixels { free(pixels) }
        }

        /// Draws an image, scaled to fill `rect`. It writes the pixels whose centre is in `rect`, with 255 as the
        /// fourth byte.
        ///
        /// When it reduces the image, each pixel is the mean of the source pixels that it covers, with more weight near
        /// its centre. When it enlarges the image, it interpolates bilinearly. At its own size, an image is copied byte
        /// for byte.
        ///
        /// - Parameters:
        ///   - image: The image.
        ///   - rect: The target in pixels, with the origin at the bottom left as in CoreGraphics: the image's top row
        ///     is at `rect.maxY`. Parts outside the context are cut off. An empty rectangle, or one with sides that are
        ///     not finite numbers, draws nothing; negative sides count backwards.
        public func draw(_ image: CGImage, in rect: CGRect) {
            guard
                let columns = FilterAxis(
                    sourceCount: image.width, start: rect.minX, length: rect.width, targetCount: width),
                let rows = FilterAxis(
                    sourceCount: image.height, start: CGFloat(height) - rect.maxY, length: rect.height,
                    targetCount: height)
            else { return }
            image.bytes.withUnsafeBytes { source in
                BitmapScaler(
                    source: source, sourceWidth: image.width, sourceLayout: image.layout, columns: columns, rows: rows
                )
                .draw(into: pixels, bytesPerRow: bytesPerRow, layout: layout)
            }
        }

        /// Returns a copy of the current pixels; nil when there is not enough memory.
        public func makeImage() -> CGImage? {
            let rowBytes = width * layout.bytesPerPixel
            guard let copy = malloc(rowBytes * height) else { return nil }
            for row in 0..<height {
                (copy + row * rowBytes).copyMemory(from: pixels + row * bytesPerRow, byteCount: rowBytes)
            }
            return CGImage(
                width: width, height: height, layout: layout, bitmapInfo: bitmapInfo,
                bytes: Data(bytesNoCopy: copy, count: rowBytes * height, deallocator: .free))
        }
    }

    /// Stand-in for CoreGraphics' colour spaces. There is only one: red, green and blue as the device shows them.
    /// Colours are never converted. Missing: all other spaces, and the properties of a space.
    public final class CGColorSpace: Sendable {
        static let deviceRGB = CGColorSpace()

        private init() {}
    }

    /// Returns the one colour space.
    public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
        .deviceRGB
    }
#endif
