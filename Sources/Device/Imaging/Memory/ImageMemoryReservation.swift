import HearthConcurrency

/// One thread's share of an `ImageMemoryBudget`, for one image at a time. `ImageDecodeOptions.memory` names it.
///
/// Call `release` when the image is no longer used; the next decode also does so.
package final class ImageMemoryReservation: Sendable, Hashable {
    private struct Held {
        var byteCount = 0
        /// The number of bytes that could not be added without waiting.
        var lacking = 0
    }

    private let budget: ImageMemoryBudget
    /// Memory that the app needs for each pixel of a decoded image, for example for a copy to draw on.
    private let extraBytesPerPixel: Int
    private let held = Lock(Held())

    package init(of budget: ImageMemoryBudget, extraBytesPerPixel: Int = 0) {
        self.budget = budget
        self.extraBytesPerPixel = extraBytesPerPixel
    }

    deinit { release() }

    package static func == (left: ImageMemoryReservation, right: ImageMemoryReservation) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    package func release() { setHeld(0) }

    /// Releases the current share, then waits until `count` bytes are free.
    ///
    /// - Throws: `ImageError` with code `.tooLarge`.
    func acquire(_ count: Int) throws(ImageError) {
        release()
        guard budget.acquire(count) else {
            throw ImageError(
                .tooLarge,
                "decoding this image takes \(Self.mebibytes(count)) MiB of memory;"
                    + " all images together may take \(budget.byteCount >> 20) MiB (\(budget.name))")
        }
        held.withLock { $0.byteCount = count }
    }

    /// Makes the share large enough for an image, before its memory is allocated.
    ///
    /// - Parameters:
    ///   - byteCount: The peak memory of decoding.
    ///   - pixelCount: The pixels of the decoded image.
    /// - Throws: `ImageError` with code `.wouldBlock` when others use the memory. The caller must then `acquire` the
    ///   bytes in `requiredByteCount`, which first releases its share.
    func grow(_ byteCount: Int, pixelCount: Int) throws(ImageError) {
        let count = byteCount + pixelCount * extraBytesPerPixel
        let isThere = held.withLock { held in
            guard count > held.byteCount else { return true }
            guard budget.tryAcquire(count - held.byteCount) else {
                held.lacking = count
                return false
            }
            held.byteCount = count
            return true
        }
        guard isThere else { throw ImageError(.wouldBlock, "other images use the memory at the moment") }
    }

    var requiredByteCount: Int { held.withLock { $0.lacking } }

    /// Reduces the share after decoding to what the image itself needs.
    func shrink(_ image: PixelImage) {
        setHeld(image.byteCount + image.width * image.height * extraBytesPerPixel)
    }

    private func setHeld(_ count: Int) {
        let surplus = held.withLock { held in
            let surplus = max(0, held.byteCount - count)
            held.byteCount -= surplus
            return surplus
        }
        if surplus > 0 { budget.release(surplus) }
    }

    private static func mebibytes(_ count: Int) -> Int { (count + (1 << 20) - 1) >> 20 }
}

extension ImageError.Code {
    /// Never thrown to the app: the decoder waits and starts again.
    static let wouldBlock = ImageError.Code(rawValue: "needsRoom")
}

extension ImageDecodeOptions {
    /// The decoders' own memory: tables, and a few rows of the largest width.
    static let decoderByteCount = 4 << 20

    /// Call it after the limits have been checked and before memory is allocated for pixels.
    ///
    /// - Parameters:
    ///   - pixelCount: The pixels of the decoded image.
    ///   - bytesPerPixel: The bytes of a pixel during decoding.
    ///   - moreByteCount: Other peak memory of decoding.
    ///   - fileByteCount: The bytes of the file, which is in memory.
    func reserve(
        pixelCount: Int, bytesPerPixel: Int = 3, moreByteCount: Int = 0, fileByteCount: Int
    ) throws(ImageError) {
        guard let memory else { return }
        try memory.grow(
            fileByteCount + pixelCount * bytesPerPixel + moreByteCount + Self.decoderByteCount, pixelCount: pixelCount)
    }
}
