import Synchronization

/// What one thread has of an `ImageMemoryBudget`: for one picture at a time, which `ImageDecodeOptions.memory` says.
///
/// `giveBack` ends it once the picture is no longer used; the next decode does so, too.
package final class ImageMemoryReservation: Sendable, Hashable {
    private struct Held {
        var byteCount = 0
        /// What was too much to be added without waiting.
        var lacking = 0
    }

    private let budget: ImageMemoryBudget
    /// What else is made of a decoded picture, such as a copy to draw on.
    private let laterBytesPerPixel: Int
    private let held = Mutex(Held())

    package init(of budget: ImageMemoryBudget, laterBytesPerPixel: Int = 0) {
        self.budget = budget
        self.laterBytesPerPixel = laterBytesPerPixel
    }

    deinit { giveBack() }

    package static func == (left: ImageMemoryReservation, right: ImageMemoryReservation) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    package func giveBack() { setHeld(0) }

    /// Gives back what is held, then waits for so many bytes.
    ///
    /// - Throws: `ImageError` with code `.tooLarge`.
    func take(_ count: Int) throws(ImageError) {
        giveBack()
        guard budget.take(count) else {
            throw ImageError(
                .tooLarge,
                "decoding this picture takes \(Self.mebibytes(count)) MiB of memory;"
                    + " all pictures together may take \(budget.byteCount >> 20) MiB (\(budget.name))")
        }
        held.withLock { $0.byteCount = count }
    }

    /// Makes what is held large enough for a picture, which is in no memory yet.
    ///
    /// - Parameters:
    ///   - byteCount: what decoding takes at its peak.
    ///   - pixelCount: of the decoded picture.
    /// - Throws: `ImageError` with code `.needsRoom` where others have it: `lackingByteCount` is what to `take`, with nothing
    ///   in hand.
    func require(_ byteCount: Int, pixelCount: Int) throws(ImageError) {
        let count = byteCount + pixelCount * laterBytesPerPixel
        let isThere = held.withLock { held in
            guard count > held.byteCount else { return true }
            guard budget.add(count - held.byteCount) else {
                held.lacking = count
                return false
            }
            held.byteCount = count
            return true
        }
        guard isThere else { throw ImageError(.needsRoom, "others use the memory at the moment") }
    }

    var lackingByteCount: Int { held.withLock { $0.lacking } }

    /// The picture is decoded: what only decoding took is free again.
    func keep(_ image: PixelImage) {
        setHeld(image.byteCount + image.width * image.height * laterBytesPerPixel)
    }

    private func setHeld(_ count: Int) {
        let surplus = held.withLock { held in
            let surplus = max(0, held.byteCount - count)
            held.byteCount -= surplus
            return surplus
        }
        if surplus > 0 { budget.giveBack(surplus) }
    }

    private static func mebibytes(_ count: Int) -> Int { (count + (1 << 20) - 1) >> 20 }
}

extension ImageError.Code {
    /// Never seen outside: the decoder waits, and begins anew.
    static let needsRoom = ImageError.Code(rawValue: "needsRoom")
}

extension ImageDecodeOptions {
    /// What decoders need for themselves: tables, and a few rows of the largest width.
    static let decoderByteCount = 4 << 20

    /// To be called once the limits have passed and before memory is taken for pixels.
    ///
    /// - Parameters:
    ///   - pixelCount: of the decoded picture.
    ///   - bytesPerPixel: while it is decoded.
    ///   - moreByteCount: what else decoding takes at its peak.
    ///   - fileByteCount: of the file, which is in memory.
    func reserve(
        pixelCount: Int, bytesPerPixel: Int = 3, moreByteCount: Int = 0, fileByteCount: Int
    ) throws(ImageError) {
        guard let memory else { return }
        try memory.require(
            fileByteCount + pixelCount * bytesPerPixel + moreByteCount + Self.decoderByteCount, pixelCount: pixelCount)
    }
}
