import HearthImaging

/// How to look at a picture file.
struct PictureLook: Sendable {
    var decoding = ImageDecodeOptions()
    /// The part to look at; nil for all of it.
    var region: PixelRect?
}
