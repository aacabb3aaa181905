public import Foundation

/// A picture in memory: 8-bit red, green, blue, interleaved, rows from the top without padding.
///
/// The bytes are written once, before anyone else sees the value, and never change. Copies share them.
public struct PixelImage: Sendable {
    /// In pixels, at least 1.
    public let width: Int

    /// In pixels, at least 1.
    public let height: Int

    private let storage: PixelStorage

    /// Takes memory for the pixels, all zero, and lets `fill` write them.
    ///
    /// - Parameters:
    ///   - width: At least 1; `width * height` must have been checked against a limit.
    ///   - height: At least 1.
    ///   - workingBytesPerPixel: What the decoder needs while it writes; the pixels end up in the first 3 of them a pixel.
    init(
        width: Int, height: Int, workingBytesPerPixel: Int = 3,
        fill: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        let storage = try PixelStorage(pixelCount: width * height, bytesPerPixel: workingBytesPerPixel)
        try fill(storage.bytes)
        self.width = width
        self.height = height
        self.storage = storage
    }

    /// One plane of a raw picture: its rows from the top, `bytesPerRow` apart.
    public struct Plane: Sendable {
        public var bytes: Data
        public var bytesPerRow: Int

        public init(_ bytes: Data, bytesPerRow: Int) {
            self.bytes = bytes
            self.bytesPerRow = bytesPerRow
        }
    }

    /// A raw picture, as a camera or a video decoder gives it.
    ///
    /// - Parameters:
    ///   - planes: As many as the format has.
    ///   - colorSpace: Looked at for `nv12`, `nv21` and `i420` only.
    /// - Throws: `ImageError` with code `.invalidPixels` when sizes, planes and bytes do not fit together.
    public init(
        format: PixelFormat, width: Int, height: Int, planes: [Plane], colorSpace: YUVColorSpace = YUVColorSpace()
    ) throws(ImageError) {
        throw ImageError(.unsupportedFormat, "raw pictures are not read yet")
    }

    /// `width * height * 3`.
    public var byteCount: Int { width * height * 3 }

    /// Lends the pixels for the duration of the call.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(storage) {} }
        return try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(storage.bytes)[..<byteCount]))
    }
}

/// Owns the memory of one picture: taken in `init`, given back in `deinit`.
// Sendable: the pointer never changes, and its memory is written only inside PixelImage's initialiser, before the
// first copy of the value exists; from then on it is only read.
private final class PixelStorage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(pixelCount: Int, bytesPerPixel: Int) throws(ImageError) {
        // calloc, because it reports a lack of memory instead of trapping, and takes pages only when they are written.
        let (byteCount, overflow) = pixelCount.multipliedReportingOverflow(by: bytesPerPixel)
        guard !overflow, let memory = calloc(byteCount, 1) else {
            throw ImageError(.outOfMemory, "there is no memory for \(pixelCount) pixels; lower ImageLimits.maxPixels")
        }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    deinit {
        free(bytes.baseAddress)
    }
}
