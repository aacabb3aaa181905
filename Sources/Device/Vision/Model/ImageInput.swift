import Foundation
import HearthImaging
import HearthModelFile
import TensorFlowLite

/// The image input of a model: how an image is written into it.
///
/// A model that leaves width or height open receives the image, or the region of it, at its own size.
struct ImageInput: Sendable {
    /// The most pixels for a model of open size, because its intermediate results need many times that memory.
    static let maxOpenPixelCount = 4_000_000

    /// Writes images at the input's default size.
    let writer: ImageTensorWriter
    let shape: ImageInputShape

    /// An image in the input.
    struct Written {
        /// The mapping from the input back to the upright original.
        let mapping: ImageMapping
        /// Of the input, in pixels.
        let size: (width: Int, height: Int)
    }

    init(_ shape: ImageInputShape, _ found: InputFinder.Found, resampling: ImageResampling) throws {
        self.shape = shape
        writer = try ImageTensorWriter(
            width: shape.width, height: shape.height, format: found.format, placement: found.placement.value,
            resampling: resampling)
    }

    /// The arrangement of the image in an input.
    /// - Throws: When the input does not take an image.
    static func shape(of input: Tensor.Description, open: [Bool] = []) throws -> ImageInputShape {
        guard let shape = ImageInputShape(input.shape.dimensions, open: open) else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model does not take images: its input '\(input.name)' has the shape \(input.shape.dimensions), not \
                [1, height, width, channels] or [1, channels, height, width] with 1, 3 or 4 channels.
                """)
        }
        return shape
    }

    /// The size to decode an image for; nil for all its pixels.
    /// - Parameter cover: How many pixels to decode for each pixel of the input, along both sides; nil for the default.
    func decodeTarget(region: PixelRect? = nil, cover: Double? = nil) -> DecodeTarget? {
        shape.hasOpenSize ? nil : writer.decodeTarget(region: region, cover: cover)
    }

    /// Writes an image into the interpreter's first input. Where the model leaves the size open, it resizes the input
    /// first.
    func write(_ decoded: DecodedImage, region: PixelRect?, to interpreter: Interpreter) throws -> Written {
        let writer = try writer(for: decoded, region)
        if shape.hasOpenSize {
            try interpreter.resizeInput(at: 0, to: shape.shape(width: writer.width, height: writer.height))
            try interpreter.allocateTensors()
        }
        let mapping = try interpreter.withUnsafeMutableInputBytes(at: 0) { bytes in
            try writer.write(decoded, region: region, into: bytes)
        }
        return Written(mapping: mapping, size: (writer.width, writer.height))
    }

    private func writer(for decoded: DecodedImage, _ region: PixelRect?) throws -> ImageTensorWriter {
        guard shape.hasOpenSize else { return writer }
        let whole = decoded.uprightSize
        let width = shape.hasOpenWidth ? region?.width ?? whole.width : writer.width
        let height = shape.hasOpenHeight ? region?.height ?? whole.height : writer.height
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= Self.maxOpenPixelCount else {
            throw VisionError.make(
                .invalidArgument,
                """
                The model takes images at their own size, and \(width) x \(height) pixels are too many: give a \
                smaller image or a region, of at most \(Self.maxOpenPixelCount) pixels.
                """)
        }
        return try ImageTensorWriter(
            width: width, height: height, format: writer.format, placement: writer.placement,
            resampling: writer.resampling)
    }
}
