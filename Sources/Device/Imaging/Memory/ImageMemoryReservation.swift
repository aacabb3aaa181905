import Synchronization

/// What one thread has of an `ImageMemoryBudget`: for one image at a time, which `ImageDecodeOptions.memory` says.
///
/// `release` ends it once the image is no longer used; the next decode does so, too.
package final class ImageMemoryReservation: Sendable, Hashable {
    private struct Held {
        var byteCount = 0
        /// What was too much to be added without waiting.
        var lacking = 0
    }

    private let budget: ImageMemoryBudget
    /// What else is made of a decoded image, such as a copy to draw on.
    private let extraBytesPerPixel: Int
    private let held = Mutex(Held())

    package init(of budget: ImageMemoryBudget, extraBytesPerPixel: Int = 0) {
        self.budget = budget
        self.extraBytesPerPixel = extraBytesPerPixel
    }

    deinit { release() }

    package static func == (left: ImageMemoryReservation, right: ImageMemoryReservation) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    package func release() { setHeld(0) }

    /// Gives back what is held, then waits for so many bytes.
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

    /// Makes what is held large enough for an image, which is in no memory yet.
    ///
    /// - Parameters:
    ///   - byteCount: what decoding takes at its peak.
    ///   - pixelCount: of the decoded image.
    /// - Throws: `ImageError` with code `.needsRoom` where others have it: `requiredByteCount` is what to `acquire`, with nothing
    ///   in hand.
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
        guard isThere else { throw ImageError(.wouldBlock, "others use the memory at the moment") }
    }

    var requiredByteCount: Int { held.withLock { $0.lacking } }

    /// The image is decoded: what only decoding took is free again.
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
    /// Never seen outside: the decoder waits, and begins anew.
    static let wouldBlock = ImageError.Code(rawValue: "needsRoom")
}

extension ImageDecodeOptions {
    /// What decoders need for themselves: tables, and a few rows of the largest width.
    static let decoderByteCount = 4 << 20

    /// To be called once the limits have passed and before memory is taken for pixels.
    ///
    /// - Parameters:
    ///   - pixelCount: of the decoded image.
    ///   - bytesPerPixel: while it is decoded.
    ///   - moreByteCount: what else decoding takes at its peak.
    ///   - fileByteCount: of the file, which is in memory.
    func reserve(
        pixelCount: Int, bytesPerPixel: Int = 3, moreByteCount: Int = 0, fileByteCount: Int
    ) throws(ImageError) {
        guard let memory else { return }
        try memory.grow(
            fileByteCount + pixelCount * bytesPerPixel + moreByteCount + Self.decoderByteCount, pixelCount: pixelCount)
    }
}
