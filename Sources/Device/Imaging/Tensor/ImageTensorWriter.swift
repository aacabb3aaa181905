import Foundation

/// Writes images into the memory of a model's input tensor. In one pass, without an intermediate copy of the image, it
/// crops the image, rotates it upright, resizes it to the model's size, and converts it to the tensor's channels and to
/// its type of values.
///
/// The tensor's layout is 1 x height x width x channels (NHWC), or 1 x channels x height x width (NCHW) for a planar
/// format. `placement` decides how the image, or a region of it, is fitted into the tensor. Resizing is plain bilinear sampling with half-pixel centres. It equals
/// OpenCV's `INTER_LINEAR` byte for byte, which the reference runtime of these models uses. Along a side that shrinks
/// to less than a third, several such samples are averaged, unless `resampling` is `.bilinear` or the decoder has
/// already averaged. Pixels outside a region are ignored. An image that already has the right size keeps its bytes.
///
/// Results that depend only on sizes are kept for the next image of the same size; copies of a writer share them.
/// Several threads may use a value at the same time.
package struct ImageTensorWriter: Sendable {
    /// The width in pixels.
    package let width: Int

    /// The height in pixels.
    package let height: Int

    package let format: TensorImageFormat

    package let placement: ImagePlacement

    package let resampling: ImageResampling

    /// The size of the tensor's buffer in bytes: `height * width * format.bytesPerPixel`.
    package let byteCount: Int

    private let encoder: RowEncoder
    private let plans = SamplingPlanCache()

    /// - Parameters:
    ///   - width: The width of the model's input, in pixels.
    ///   - height: The height of the model's input, in pixels.
    ///   - format: The type of the input's values.
    ///   - placement: How images are fitted to the proportions of the input.
    ///   - resampling: How larger images are reduced to the input's size.
    /// - Throws: `ImageError` with code `.invalidTensorSize` or `.invalidNormalization`.
    package init(
        width: Int, height: Int, format: TensorImageFormat, placement: ImagePlacement = .stretch,
        resampling: ImageResampling = .antialiased
    ) throws(ImageError) {
        guard width > 0, height > 0, let byteCount = Self.product(width, height, format.bytesPerPixel) else {
            throw ImageError(
                .invalidTensorSize,
                "a tensor of \(width) x \(height) pixels is not possible; both sides must be 1 or more")
        }
        self.width = width
        self.height = height
        self.format = format
        self.placement = placement
        self.resampling = resampling
        self.byteCount = byteCount
        encoder = try RowEncoder(format, pixelCount: width * height)
    }

    /// Writes `image` into `buffer`.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - orientation: Overrides the orientation in the image's file.
    ///   - region: The part to look at, in pixels of the upright original; nil for the whole image.
    ///   - buffer: The tensor's memory, exactly `byteCount` bytes; need not be aligned. All of it is written.
    /// - Returns: The mapping from the tensor back to the upright original, whatever the size at which it was decoded.
    /// - Throws: `ImageError` with code `.wrongBufferSize` or `.invalidRegion`; then nothing has been written.
    @discardableResult
    package func write(
        _ image: DecodedImage, orientation: ImageOrientation? = nil, region: PixelRect? = nil,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(ImageError) -> ImageMapping {
        try write(
            image, orientation: orientation, region: region, into: buffer, loops: .fastest)
    }

    func write(
        _ image: DecodedImage, orientation: ImageOrientation?, region: PixelRect?,
        into buffer: UnsafeMutableRawBufferPointer, loops: SamplingLoops
    ) throws(ImageError) -> ImageMapping {
        guard buffer.count == byteCount, let target = buffer.baseAddress else {
            throw ImageError(
                .wrongBufferSize,
                "the buffer has \(buffer.count) bytes; a tensor of \(width) x \(height) pixels needs \(byteCount)")
        }
        let orientation = orientation ?? image.orientation
        let size = image.uprightSize(orientation: orientation)
        let frame = try TensorFrame(size: size, target: decodeTarget(region: region))
        let plan = plans.plan(
            for: SamplingPlan.Key(
                frame: frame, uprightWidth: size.width, uprightHeight: size.height, pixelWidth: image.pixels.width,
                pixelHeight: image.pixels.height, orientation: orientation, resampling: resampling))
        if case .fit(let background, _) = placement { fill(target, around: frame, gray: background) }
        image.pixels.sample(
            along: plan, encoder: encoder, loops: loops,
            into: target + (frame.top * rowBytes + frame.left * encoder.bytesPerPixel), rowBytes: rowBytes)
        return frame.mapping(tensorWidth: width, tensorHeight: height)
    }

    /// The size to decode an image for, so that this writer has all the pixels it can use.
    ///
    /// - Parameters:
    ///   - region: The region that will be passed to `write`.
    ///   - orientation: The orientation that will be passed to `write`.
    ///   - cover: The number of pixels for each pixel of the tensor, along both sides; nil for
    ///     `DecodeTarget.defaultOversampling(width:height:)`.
    package func decodeTarget(
        region: PixelRect? = nil, orientation: ImageOrientation? = nil, cover: Double? = nil
    ) -> DecodeTarget {
        DecodeTarget(
            width: width, height: height, placement: placement, region: region, orientation: orientation,
            oversampling: cover)
    }

    private var rowBytes: Int { width * encoder.bytesPerPixel }

    /// Fills the part of the tensor that the frame does not cover with gray.
    private func fill(_ target: UnsafeMutableRawPointer, around frame: TensorFrame, gray: UInt8) {
        guard frame.columns < width || frame.rows < height else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width * 4) { row in
            row.initialize(repeating: gray)
            func fill(_ columns: Range<Int>, _ y: Int) {
                encoder.encode(
                    row.baseAddress.unsafelyUnwrapped, count: columns.count,
                    into: target + (y * rowBytes + columns.lowerBound * encoder.bytesPerPixel),
                    SamplingLoops.fastest.table)
            }
            for y in 0..<height {
                if y < frame.top || y >= frame.top + frame.rows {
                    fill(0..<width, y)
                } else {
                    fill(0..<frame.left, y)
                    fill(frame.left + frame.columns..<width, y)
                }
            }
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
