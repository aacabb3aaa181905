import Foundation

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
    /// - Parameter spareBytes: Extra bytes at the end for a decoder that needs room.
    init(
        width: Int, height: Int, spareBytes: Int = 0, fill: (UnsafeMutableRawBufferPointer) throws(ImageError) -> Void
    ) throws(ImageError) {
        let storage = try PixelStorage(byteCount: width * height * 3 + spareBytes)
        try fill(storage.bytes)
        self.width = width
        self.height = height
        self.storage = storage
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

    init(byteCount: Int) throws(ImageError) {
        // calloc, because it reports a lack of memory instead of trapping and takes pages only when they are written.
        guard let memory = calloc(byteCount, 1) else {
            throw ImageError(.outOfMemory, "no memory for \(byteCount) bytes of pixels; lower ImageLimits.maxPixels")
        }
        bytes = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
    }

    deinit {
        free(bytes.baseAddress)
    }
}
