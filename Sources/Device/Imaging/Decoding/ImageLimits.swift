/// The most memory and time that an image may take. Each limit is checked before that memory or time is used.
///
/// The limits apply to the size in the file, whatever the size at which it is decoded. Decoding needs memory for:
/// - the file's bytes, unless they are in memory already;
/// - 3 bytes for each decoded pixel, 4 for CMYK;
/// - while it runs, for each stored pixel, 6 more bytes for a progressive JPEG and 4 for a lossless WebP.
///
/// ``ImageMemory`` keeps up to 64 MiB of this for the next image.
public struct ImageLimits: Sendable, Hashable {
    /// The largest size of the encoded image, in bytes.
    public var maxFileBytes: Int

    /// The largest `width * height`. The default allows 50-megapixel phone photos.
    public var maxPixels: Int

    /// The largest width and height, in pixels.
    public var maxSide: Int

    /// The largest number of scans in a JPEG. Common files have 1 to 14. Values above 500 act as 500.
    public var maxScans: Int

    /// The largest `width * height * scans` of a JPEG. Each scan may cost a pass over the whole image (about half a
    /// second for 100 million pixels) for a few bytes of data.
    public var maxScanPixels: Int

    /// Creates limits.
    public init(
        maxFileBytes: Int = 128 << 20, maxPixels: Int = 100_000_000, maxSide: Int = 65_535, maxScans: Int = 100,
        maxScanPixels: Int = 1_000_000_000
    ) {
        self.maxFileBytes = maxFileBytes
        self.maxPixels = maxPixels
        self.maxSide = maxSide
        self.maxScans = maxScans
        self.maxScanPixels = maxScanPixels
    }

    func check(fileBytes: Int) throws(ImageError) {
        guard fileBytes > maxFileBytes else { return }
        throw ImageError(.tooLarge, "the image has \(fileBytes) bytes; the limit is \(maxFileBytes) (maxFileBytes)")
    }

    func check(width: Int, height: Int) throws(ImageError) {
        guard width <= maxSide, height <= maxSide else {
            throw ImageError(
                .tooLarge, "the image is \(width) x \(height) pixels; the limit for a side is \(maxSide) (maxSide)")
        }
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= maxPixels else {
            throw ImageError(
                .tooLarge,
                "the image is \(width) x \(height) = \(overflow ? "too many" : "\(pixels)") pixels;"
                    + " the limit is \(maxPixels) (maxPixels)")
        }
    }

    /// Call it after the size itself has been checked.
    func check(scans: Int, width: Int, height: Int) throws(ImageError) {
        guard scans <= maxScans else {
            throw ImageError(.tooLarge, "the JPEG has \(scans) scans; the limit is \(maxScans) (maxScans)")
        }
        let (work, overflow) = (width * height).multipliedReportingOverflow(by: scans)
        guard !overflow, work <= maxScanPixels else {
            throw ImageError(
                .tooLarge,
                "the JPEG has \(scans) scans of \(width) x \(height) pixels;"
                    + " the limit for all together is \(maxScanPixels) (maxScanPixels)")
        }
    }
}
