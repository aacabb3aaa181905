/// The image formats that their first bytes identify. Raw values are the names for people.
enum ImageFormat: String, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webP = "WebP"
    case bmp = "BMP"
    case gif = "GIF"
    case tiff = "TIFF"
    case heic = "HEIC"
    case avif = "AVIF"

    static func detect(_ bytes: UnsafeRawBufferPointer) -> ImageFormat? {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) { return .webP }
        if bytes.starts(with: "GIF8".utf8) { return .gif }
        if bytes.starts(with: "II*\0".utf8) || bytes.starts(with: "MM\0*".utf8) { return .tiff }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) { return brand(bytes.dropFirst(8).prefix(4)) }
        if isBMP(bytes) { return .bmp }
        return nil
    }

    /// The first two letters alone are too common in text, so the four reserved bytes must also be zero.
    private static func isBMP(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 10 && bytes.starts(with: "BM".utf8) && bytes[6..<10].allSatisfy { $0 == 0 }
    }

    private static func brand(_ name: Slice<UnsafeRawBufferPointer>) -> ImageFormat? {
        switch String(decoding: name, as: UTF8.self) {
        case "heic", "heix", "hevc", "heim", "heis", "mif1", "msf1": .heic
        case "avif", "avis": .avif
        default: nil
        }
    }
}

/// Decodes one image format.
protocol FormatDecoder: Sendable {
    /// Decodes `bytes`, which begin with the format's signature. Checks `options.limits` against the header before it
    /// allocates memory for pixels. May decode fewer pixels if they are enough for `target`.
    func decode(
        _ bytes: UnsafeRawBufferPointer, options: ImageDecodeOptions, covering target: DecodeTarget?
    ) throws(ImageError) -> DecodedImage
}

extension ImageFormat {
    /// nil for formats that are recognized but not decoded.
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
