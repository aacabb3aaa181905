import Foundation

/// Owns the memory of one picture: taken in `init`, given back in `deinit`.
// Sendable: the pointer never changes, and its memory is written only inside PixelImage's initialiser, before the
// first copy of the value exists; from then on it is only read.
final class PixelStorage: @unchecked Sendable {
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
