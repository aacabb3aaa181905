/// Decodes one image format.
protocol FormatDecoder: Sendable {
    /// Decodes `bytes`, which begin with the format's signature. Checks `options.limits` against the header before it
    /// takes memory for pixels. May decode fewer pixels if they are enough for `target`.
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage
}

extension ImageFormat {
    /// nil for formats that are recognised but not decoded.
    var decoder: (any FormatDecoder)? {
        switch self {
        case .jpeg: JPEGDecoder()
        case .png: PNGDecoder()
        case .webP: WebPDecoder()
        case .bmp: BMPDecoder()
        case .gif: GIFDecoder()
        case .tiff, .heic, .avif: nil
        }
    }

    /// The decodable formats, for error texts.
    static var supportedNames: String {
        let names = allCases.filter { $0.decoder != nil }.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }
}
