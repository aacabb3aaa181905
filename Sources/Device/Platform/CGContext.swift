#if !canImport(CoreGraphics)
    public import Foundation

    /// Stand-in for a CoreGraphics bitmap context: memory that images are drawn into.
    ///
    /// It draws images, opaque and scaled, and nothing else. Missing: transformations, clipping paths, text, colours,
    /// blending, interpolation qualities, and every pixel format but those of the initialiser. Like the original, one context
    /// is for one thread at a time.
    public final class CGContext {
        /// In pixels.
        public let width: Int
        /// In pixels.
        public let height: Int
        /// From the start of a row to the start of the next.
        public let bytesPerRow: Int
        /// The order of the bytes in a pixel.
        public let bitmapInfo: CGBitmapInfo
        /// The pixels, rows from the top. With memory of the context's own it is valid only while the context lives.
        public let data: UnsafeMutableRawPointer?

        public let colorSpace: CGColorSpace?

        private let layout: BitmapLayout
        private let pixels: UnsafeMutableRawPointer
        private let ownsPixels: Bool

        /// 8.
        public var bitsPerComponent: Int { 8 }
        /// 32.
        public var bitsPerPixel: Int { 32 }

        public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo }

        /// A context over the caller's memory, or, with `data: nil`, over memory of its own that starts zeroed.
        ///
        /// - Parameters:
        ///   - data: At least `height * bytesPerRow` bytes that outlive the context; drawn into in place, never freed.
        ///   - width: In pixels, at least 1.
        ///   - height: In pixels, at least 1.
        ///   - bitsPerComponent: 8.
        ///   - bytesPerRow: At least `width * 4`; 0 stands for that number.
        ///   - bitmapInfo: `CGImageAlphaInfo.noneSkipFirst`, `.premultipliedFirst`, `.noneSkipLast` or `.premultipliedLast`,
        ///     with `CGBitmapInfo.byteOrder32Big` or without it; the first two also with `.byteOrder32Little`. In memory:
        ///     XRGB, RGBX and BGRX.
        /// - Returns: nil for anything else, for sizes whose bytes cannot be counted, and when there is no memory.
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

        /// Draws an image, scaled to fill `rect`. Pixels whose centre lies in `rect` are written, the fourth byte as 255.
        ///
        /// Scaling down takes the mean of the pixels that fall together, weighted towards the middle; scaling up is bilinear;
        /// drawn at its own size an image arrives byte for byte.
        ///
        /// - Parameter rect: In pixels, with the origin at the bottom left as in CoreGraphics: the image's top row comes to
        ///   `rect.maxY`. What lies outside the context is cut off. An empty rectangle, or one with sides that are not
        ///   finite numbers, draws nothing; negative sides count backwards.
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

        /// A copy of the pixels as they are now; nil when there is no memory for it.
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

    /// Stand-in for CoreGraphics' colour spaces. There is one, red, green and blue as the device shows them; colours are
    /// never converted. Missing: every other space, and what it knows of itself.
    public final class CGColorSpace: Sendable {
        static let deviceRGB = CGColorSpace()

        private init() {}
    }

    /// The one colour space.
    public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
        .deviceRGB
    }
#endif
