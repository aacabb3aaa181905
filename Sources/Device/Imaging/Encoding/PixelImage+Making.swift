extension PixelImage {
    /// A picture that `paint` makes, in memory that is all zero: `width * height * 3` bytes, red, green, blue.
    ///
    /// - Parameters:
    ///   - width: At least 1; `width * height` must be that of a picture or otherwise checked.
    ///   - height: At least 1.
    package init(
        width: Int, height: Int, painting paint: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(ImageError) {
        try self.init(width: width, height: height) { (bytes) throws(ImageError) in paint(bytes) }
    }
}
