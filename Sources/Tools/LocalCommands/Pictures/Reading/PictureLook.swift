import HearthImaging

/// How to look at a picture file.
struct PictureLook: Sendable {
    var decoding = ImageDecodeOptions()
    /// How large ones are brought to the model's size.
    var resampling = ImageResampling.antialiased
    /// The part to look at; nil for all of it.
    var region: PixelRect?
    /// What all pictures together may take; nil for any amount.
    var memory: ImageMemoryBudget?

    /// For one thread, with a share of the memory of its own.
    func shared(laterBytesPerPixel: Int = 0) -> PictureLook {
        var look = self
        look.decoding.memory = memory.map { ImageMemoryShare(of: $0, laterBytesPerPixel: laterBytesPerPixel) }
        return look
    }

    /// The picture that this thread looked at is no longer used.
    func giveBack() { decoding.memory?.giveBack() }
}
