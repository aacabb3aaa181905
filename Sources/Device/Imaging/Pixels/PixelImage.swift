import CSampling
public import Foundation

/// An image in memory with 8 bits per channel: decoded from an image file (`.rgb` without padding between rows), or raw
/// as a camera or a video decoder provides it.
///
/// The bytes never change after creation. Copies share them. Several threads may use a value at the same time.
public struct PixelImage: Sendable {
    /// The width in pixels, at least 1.
    public let width: Int

    /// The height in pixels, at least 1.
    public let height: Int

    /// The memory layout of the pixels; `.rgb` for decoded files.
    public let format: PixelFormat

    /// The meaning of the bytes of `nv12`, `nv21` and `i420`; without effect for other formats.
    public let colorSpace: YUVColorSpace

    private enum Memory: Sendable {
        /// RGB rows without padding.
        case own(PooledBytes)
        /// The caller's bytes, not copied.
        case lent([Plane])
    }

    private let memory: Memory

    /// One plane of a raw image: its rows from the top, `bytesPerRow` bytes apart.
    public struct Plane: Sendable {
        /// The bytes, from the first row on.
        public var bytes: Data
        /// The bytes from one row to the next.
        public var bytesPerRow: Int

        /// Creates a plane.
        public init(_ bytes: Data, bytesPerRow: Int) {
            self.bytes = bytes
            self.bytesPerRow = bytesPerRow
        }
    }

    /// Creates a raw image, as a camera or a video decoder provides it. The planes' bytes are kept, not copied.
    ///
    /// - Parameters:
    ///   - format: The memory layout of the pixels.
    ///   - width: The width in pixels, at least 1.
    ///   - height: The height in pixels, at least 1.
    ///   - planes: As many as the format has. The last row of a plane may end with its last pixel; further bytes are
    ///     ignored.
    ///   - colorSpace: Used only for `nv12`, `nv21` and `i420`.
    /// - Throws: `ImageError` with code `.invalidPixels` when sizes, planes and bytes do not match.
    public init(
        format: PixelFormat, width: Int, height: Int, planes: [Plane], colorSpace: YUVColorSpace = YUVColorSpace()
    ) throws(ImageError) {
        try PlaneCheck(format: format, width: width, height: height).check(planes)
        self.width = width
        self.height = height
        self.format = format
        self.colorSpace = colorSpace
        memory = .lent(planes)
    }

    /// Allocates memory for RGB pixels, and lets `fill` write them.
    ///
    /// - Parameters:
    ///   - width: At least 1; `width * height` must have been checked against a limit.
    ///   - height: At least 1.
    ///   - workingBytesPerPixel: The bytes per pixel that the decoder needs while it writes. At the end, the pixels
    ///     must be in the first 3 bytes per pixel.
    ///   - isCleared: Whether the memory is zero at first. Otherwise it may contain another image's pixels, so `fill`
    ///     must write every pixel or throw.
    init(
        width: Int, height: Int, workingBytesPerPixel: Int = 3, isCleared: Bool = true,
        fill: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        let (byteCount, overflow) = (width * height).multipliedReportingOverflow(by: workingBytesPerPixel)
        guard !overflow, let storage = PooledBytes(byteCount, isCleared: isCleared) else {
            throw ImageError(
                .outOfMemory, "there is not enough memory for \(width * height) pixels; lower ImageLimits.maxPixels")
        }
        try fill(storage.bytes)
        self.width = width
        self.height = height
        format = .rgb
        colorSpace = YUVColorSpace()
        memory = .own(storage)
    }

    /// Whether the bytes are red, green and blue alternating, without padding between rows.
    var isTightRGB: Bool {
        switch memory {
        case .own: true
        case .lent(let planes): format == .rgb && planes[0].bytesPerRow == width * 3
        }
    }

    /// The number of bytes that ``withUnsafeBytes(_:)`` lends: `width * height * 3` for decoded images.
    public var byteCount: Int {
        switch memory {
        case .own: width * height * 3
        case .lent(let planes):
            (height - 1) * planes[0].bytesPerRow + format.usedBytesPerRow(ofPlane: 0, width: width)
        }
    }

    /// Lends the bytes of the first plane, from the first pixel to the last, during the call.
    ///
    /// Those of a decoded image are `width * height * 3` bytes of red, green and blue. Call ``rgb()`` first if the
    /// image may have another format.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch memory {
        case .own(let storage):
            defer { withExtendedLifetime(storage) {} }
            return try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage.bytes)[..<byteCount]))
        case .lent(let planes):
            let result = planes[0].bytes.withUnsafeBytes { bytes in
                Swift.Result { () throws(Failure) in
                    try body(UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
                }
            }
            return try result.get()
        }
    }

    /// Lends all planes in the form of the sampling loops, during the call.
    func withPlanes(_ body: (hearth_image) -> Void) {
        var image = format.emptyImage
        guard case .lent(let planes) = memory else {
            return withUnsafeBytes { bytes in
                image.lend(plane: 0, bytes, bytesPerRow: width * 3)
                body(image)
            }
        }
        func lend(plane: Int) {
            guard plane < planes.count else { return body(image) }
            planes[plane].bytes.withUnsafeBytes { bytes in
                image.lend(plane: plane, bytes, bytesPerRow: planes[plane].bytesPerRow)
                lend(plane: plane + 1)
            }
        }
        lend(plane: 0)
    }
}

extension PixelImage {
    /// Creates an image that `paint` draws, in zeroed memory of `width * height * 3` bytes: red, green, blue.
    ///
    /// - Parameters:
    ///   - width: At least 1; `width * height` must be that of an image or otherwise checked.
    ///   - height: At least 1.
    package init(
        width: Int, height: Int, painting paint: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ImageError) {
        try self.init(width: width, height: height) { (bytes) throws(ImageError) in paint(bytes) }
    }
}

extension PixelImage {
    /// Samples along `plan` into `target`, whose rows are `rowBytes` apart.
    func sample(
        along plan: SamplingPlan, encoder: RowEncoder, loops: SamplingLoops,
        into target: UnsafeMutableRawPointer, rowBytes: Int
    ) {
        withPlanes { image in
            ImageSampler(
                image: image, plan: plan, colors: format.isYUV ? colorSpace.colorMatrix : nil, encoder: encoder,
                loops: loops.table
            ).write(to: target, rowBytes: rowBytes)
        }
    }

    /// Returns the same image as RGB without padding between rows. Decoded images already have this form; raw images
    /// need memory for a second image.
    ///
    /// - Throws: `ImageError` with code `.outOfMemory`.
    public func rgb() throws(ImageError) -> PixelImage {
        try upright(orientation: .up)
    }

    /// This image, rotated by `orientation`, as RGB without padding between rows.
    func upright(orientation: ImageOrientation) throws(ImageError) -> PixelImage {
        if orientation == .up, isTightRGB { return self }
        let size = orientation.uprightSize(storedWidth: width, storedHeight: height)
        let key = SamplingPlan.Key(
            frame: try TensorFrame(size: size, target: DecodeTarget(width: size.width, height: size.height)),
            uprightWidth: size.width, uprightHeight: size.height, pixelWidth: width, pixelHeight: height,
            orientation: orientation, resampling: .bilinear)
        let (plan, encoder) = (SamplingPlan(key), try RowEncoder(.uint8))
        return try PixelImage(width: size.width, height: size.height, isCleared: false) { target throws(ImageError) in
            guard let start = target.baseAddress else { return }
            sample(
                along: plan, encoder: encoder, loops: .fastest, into: start, rowBytes: size.width * 3)
        }
    }
}
