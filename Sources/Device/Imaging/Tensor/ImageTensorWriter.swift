/// Writes pictures into the memory of a model's input tensor: turned upright, stretched to the model's size and converted
/// to its kind of values, in one pass and without a copy of the picture in between.
///
/// The tensor's layout is 1 x height x width x 3 (NHWC), red, green, blue. The whole picture is stretched to it, whatever its
/// proportions, by plain bilinear sampling with half-pixel centres and without antialiasing, which is what the reference
/// runtime of these models does. A picture that already has the right size keeps its bytes.
///
/// A value may be used from several threads at a time.
public struct ImageTensorWriter: Sendable {
    /// In pixels.
    public let width: Int

    /// In pixels.
    public let height: Int

    public let format: TensorImageFormat

    public let placement: ImagePlacement

    /// What the tensor's buffer must hold, in bytes: `height * width * 3 * format.bytesPerValue`.
    public let byteCount: Int

    private let encoder: RowEncoder

    /// - Parameters:
    ///   - width: Of the model's input, in pixels.
    ///   - height: Of the model's input, in pixels.
    ///   - format: Of the model's input.
    ///   - placement: How pictures of other proportions are brought to the input's.
    /// - Throws: `ImageError` with code `.invalidTensorSize` or `.invalidNormalization`.
    public init(
        width: Int, height: Int, format: TensorImageFormat, placement: ImagePlacement = .stretch
    ) throws(ImageError) {
        guard width > 0, height > 0, let byteCount = Self.product(width, height, 3, format.bytesPerValue) else {
            throw ImageError(
                .invalidTensorSize, "a tensor of \(width) x \(height) pixels cannot be; both sides must be 1 or more")
        }
        self.width = width
        self.height = height
        self.format = format
        self.placement = placement
        self.byteCount = byteCount
        encoder = try RowEncoder(format)
    }

    /// Writes `image` into `buffer`.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - orientation: Overrides the orientation that the image's file states.
    ///   - region: The part to look at, in pixels of the upright original; nil for all of it.
    ///   - buffer: The tensor's memory, exactly `byteCount` bytes; need not be aligned. All of it is written.
    /// - Returns: The way back from the tensor to the upright original.
    /// - Throws: `ImageError` with code `.wrongBufferSize` or `.invalidRegion`; nothing is written then.
    @discardableResult
    public func write(
        _ image: DecodedImage, orientation: ImageOrientation? = nil, region: PixelRect? = nil,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(ImageError) -> ImageMapping {
        guard buffer.count == byteCount, let target = buffer.baseAddress else {
            throw ImageError(
                .wrongBufferSize,
                "the buffer has \(buffer.count) bytes; a tensor of 1x\(height)x\(width)x3 needs \(byteCount)")
        }
        let layout = UprightLayout(pixels: image.pixels, orientation: orientation ?? image.orientation)
        image.pixels.withUnsafeBytes { source in
            if layout.width == width, layout.height == height {
                write(RowCopier(source: source, layout: layout), to: target)
            } else {
                write(
                    BilinearResampler(source: source, layout: layout, width: width, height: height), to: target)
            }
        }
        let size = image.uprightSize
        return ImageMapping(originX: 0, originY: 0, width: Double(size.width), height: Double(size.height))
    }

    /// What to decode a picture for, so that this writer has all the pixels it can use.
    public func decodeTarget(region: PixelRect? = nil) -> DecodeTarget {
        DecodeTarget(width: width, height: height, placement: placement, region: region)
    }

    private func write(_ sampler: some RowSampler, to target: UnsafeMutableRawPointer) {
        let valuesPerRow = width * 3
        if encoder.isIdentity {
            let output = target.assumingMemoryBound(to: UInt8.self)
            for y in 0..<height {
                sampler.sampleRow(y, into: output + y * valuesPerRow)
            }
            return
        }
        let row = UnsafeMutablePointer<UInt8>.allocate(capacity: valuesPerRow)
        defer { row.deallocate() }
        for y in 0..<height {
            sampler.sampleRow(y, into: row)
            encoder.encode(row, count: valuesPerRow, into: target + y * valuesPerRow * format.bytesPerValue)
        }
    }

    private static func product(_ factors: Int...) -> Int? {
        var product = 1
        for factor in factors {
            let (next, overflow) = product.multipliedReportingOverflow(by: factor)
            guard !overflow else { return nil }
            product = next
        }
        return product
    }
}
