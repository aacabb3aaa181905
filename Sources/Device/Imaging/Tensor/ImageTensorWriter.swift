import Foundation

/// Writes images into the memory of a model's input tensor: cut, turned upright, brought to the model's size, converted
/// to RGB and to the tensor's kind of values, in one pass and without a copy of the image in between.
///
/// The tensor's layout is 1 x height x width x 3 (NHWC), red, green, blue. The image, or a region of it, is placed in it as
/// `placement` says and resized by plain bilinear sampling with half-pixel centres, to the byte like OpenCV's
/// `INTER_LINEAR`, which is what the reference runtime of these models does. Along a side that shrinks to less than a third
/// several such samples are averaged, unless `resampling` says otherwise or the decoder did so. Pixels outside a region are not looked at. An image
/// that already has the right size keeps its bytes.
///
/// What is worked out from the sizes alone is kept for the next image of the same size; copies of a writer share it.
/// A value may be used from several threads at a time.
package struct ImageTensorWriter: Sendable {
    /// In pixels.
    package let width: Int

    /// In pixels.
    package let height: Int

    package let format: TensorImageFormat

    package let placement: ImagePlacement

    package let resampling: ImageResampling

    /// What the tensor's buffer must hold, in bytes: `height * width * 3 * format.bytesPerValue`.
    package let byteCount: Int

    private let encoder: RowEncoder
    private let plans = SamplingPlanCache()

    /// - Parameters:
    ///   - width: Of the model's input, in pixels.
    ///   - height: Of the model's input, in pixels.
    ///   - format: Of the model's input.
    ///   - placement: How images of other proportions are brought to the input's.
    ///   - resampling: How larger images are brought to the input's size.
    /// - Throws: `ImageError` with code `.invalidTensorSize` or `.invalidNormalization`.
    package init(
        width: Int, height: Int, format: TensorImageFormat, placement: ImagePlacement = .stretch,
        resampling: ImageResampling = .antialiased
    ) throws(ImageError) {
        guard width > 0, height > 0, let byteCount = Self.product(width, height, 3, format.bytesPerValue) else {
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
        encoder = try RowEncoder(format)
    }

    /// Writes `image` into `buffer`.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - orientation: Overrides the orientation that the image's file states.
    ///   - region: The part to look at, in pixels of the upright original; nil for all of it.
    ///   - buffer: The tensor's memory, exactly `byteCount` bytes; need not be aligned. All of it is written.
    /// - Returns: The way back from the tensor to the upright original, whatever size that was decoded at.
    /// - Throws: `ImageError` with code `.wrongBufferSize` or `.invalidRegion`; nothing is written then.
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
                "the buffer has \(buffer.count) bytes; a tensor of 1x\(height)x\(width)x3 needs \(byteCount)")
        }
        let orientation = orientation ?? image.orientation
        let size = image.uprightSize(orientation: orientation)
        let frame = try TensorFrame(size: size, target: decodeTarget(region: region))
        let plan = plans.plan(
            for: SamplingPlan.Key(
                frame: frame, uprightWidth: size.width, uprightHeight: size.height, pixelWidth: image.pixels.width,
                pixelHeight: image.pixels.height, orientation: orientation, resampling: resampling))
        if case .fit(let background) = placement { fill(target, around: frame, gray: background) }
        image.pixels.sample(
            along: plan, encoder: encoder, loops: loops,
            into: target + (frame.top * rowBytes + frame.left * encoder.bytesPerPixel), rowBytes: rowBytes)
        return frame.mapping(tensorWidth: width, tensorHeight: height)
    }

    /// What to decode an image for, so that this writer has all the pixels it can use.
    ///
    /// - Parameters:
    ///   - region: As it will be given to `write`.
    ///   - orientation: As it will be given to `write`.
    ///   - cover: How many pixels to have for each of the tensor's, along both sides; nil for
    ///     `DecodeTarget.defaultCover`.
    package func decodeTarget(
        region: PixelRect? = nil, orientation: ImageOrientation? = nil, cover: Double? = nil
    ) -> DecodeTarget {
        DecodeTarget(
            width: width, height: height, placement: placement, region: region, orientation: orientation,
            oversampling: cover)
    }

    private var rowBytes: Int { width * encoder.bytesPerPixel }

    /// Makes the whole tensor gray where the frame leaves some of it over.
    private func fill(_ target: UnsafeMutableRawPointer, around frame: TensorFrame, gray: UInt8) {
        guard frame.columns < width || frame.rows < height else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width * 4) { row in
            row.initialize(repeating: gray)
            encoder.encode(row.baseAddress.unsafelyUnwrapped, count: width, into: target, SamplingLoops.fastest.table)
        }
        for y in 1..<max(height, 1) { memcpy(target + y * rowBytes, target, rowBytes) }
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
