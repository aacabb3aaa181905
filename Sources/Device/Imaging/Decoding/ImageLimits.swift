/// What an image may cost. Every limit is checked before the memory or the time it guards is spent.
///
/// They are held against the size that is stored in the file, whatever size it is decoded at. Decoding takes the file's bytes
/// (unless they are in memory already), 3 bytes for each decoded pixel (4 for CMYK) and, meanwhile, for each stored pixel 6
/// bytes more of a progressive JPEG, 4 of a lossless WebP. `ImageMemory` keeps up to 64 MiB of it for the next image.
public struct ImageLimits: Sendable, Hashable {
    /// Largest accepted size of the encoded image, in bytes.
    public var maxFileBytes: Int

    /// Largest accepted `width * height`. The default lets 50-megapixel phone photos pass.
    public var maxPixels: Int

    /// Largest accepted width and height, in pixels.
    public var maxSide: Int

    /// Largest accepted number of scans in a JPEG. Common files have 1 to 14. Values above 500 act as 500.
    public var maxScans: Int

    /// Largest accepted `width * height * scans` of a JPEG: each scan may cost a walk over the whole image (about half a
    /// second for 100 million pixels) for a few bytes of data.
    public var maxScanPixels: Int

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

    /// To be called once the size itself has passed.
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
