public import HearthImaging

/// A picture with boxes and labels on it.
public struct AnnotatedImage: Sendable {
    public let pixels: PixelImage

    /// Whether text is missing because no font is installed: boxes and plates are there, their text and the caption are
    /// not. Tell the user to install one (on Debian: fonts-dejavu-core), or to name one.
    public let lacksFont: Bool
}
