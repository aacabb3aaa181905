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
    private let hasOpenWidth: Bool
    private let hasOpenHeight: Bool

    /// - Parameters:
    ///   - input: `[1, height, width, 3]`, uint8, int8 or float32.
    ///   - openDimensions: Which of the four dimensions the model leaves open; empty for none.
    ///   - units: How the metadata says the image is to be processed; a float32 input needs a normalization.
    /// - Throws: When the input does not take an image.
    init(
        _ input: Tensor.Description, openDimensions: [Bool] = [], units: [ModelMetadata.ProcessUnit],
        placement: ImagePlacement = .stretch, resampling: ImageResampling = .antialiased
    ) throws {
        let (width, height) = try Self.size(of: input)
        writer = try ImageTensorWriter(
            width: width, height: height, format: try Self.format(of: input, units), placement: placement,
            resampling: resampling)
        hasOpenHeight = openDimensions.count == 4 && openDimensions[1]
        hasOpenWidth = openDimensions.count == 4 && openDimensions[2]
    }

    /// The size of the images that an input takes.
    /// - Throws: When the input does not take an image.
    static func size(of input: Tensor.Description) throws -> (width: Int, height: Int) {
        let dimensions = input.shape.dimensions
        guard dimensions.count == 4, dimensions[0] == 1, dimensions[3] == 3 else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model does not take images: its input '\(input.name)' has the shape \(dimensions), not \
                [1, height, width, 3].
                """)
        }
        guard [.uInt8, .int8, .float32].contains(input.dataType) else {
            throw VisionError.make(
                .failedPrecondition, "The model's input '\(input.name)' holds \(input.dataType) values, not an image.")
        }
        return (dimensions[2], dimensions[1])
    }

    /// Whether the model takes images of any size.
    var hasOpenSize: Bool { hasOpenWidth || hasOpenHeight }

    /// The size to decode an image for; nil for all its pixels.
    /// - Parameter cover: How many pixels to decode for each pixel of the input, along both sides; nil for the default.
    func decodeTarget(region: PixelRect? = nil, cover: Double? = nil) -> DecodeTarget? {
        hasOpenSize ? nil : writer.decodeTarget(region: region, cover: cover)
    }

    /// Writes an image into the interpreter's first input. Where the model leaves the size open, it resizes the input
    /// first.
    /// - Returns: The mapping from the input back to the upright original.
    func write(_ decoded: DecodedImage, region: PixelRect?, to interpreter: Interpreter) throws -> ImageMapping {
        let writer = try writer(for: decoded, region)
        if hasOpenSize {
            try interpreter.resizeInput(at: 0, to: [1, writer.height, writer.width, 3])
            try interpreter.allocateTensors()
        }
        return try interpreter.withUnsafeMutableInputBytes(at: 0) { bytes in
            try writer.write(decoded, region: region, into: bytes)
        }
    }

    private func writer(for decoded: DecodedImage, _ region: PixelRect?) throws -> ImageTensorWriter {
        guard hasOpenSize else { return writer }
        let whole = decoded.uprightSize
        let width = hasOpenWidth ? region?.width ?? whole.width : writer.width
        let height = hasOpenHeight ? region?.height ?? whole.height : writer.height
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

    /// Quantized inputs take the bytes unchanged, even if the metadata names a normalization.
    private static func format(
        of input: Tensor.Description, _ units: [ModelMetadata.ProcessUnit]
    ) throws -> TensorImageFormat {
        switch input.dataType {
        case .uInt8: return .uint8
        case .int8: return .int8
        default:
            for case .normalization(let mean, let deviation) in units {
                return .float32(mean: mean, std: deviation)
            }
            throw VisionError.make(
                .failedPrecondition,
                """
                Failed to initialize detector. Input tensor has type kTfLiteFloat32: it requires specifying \
                NormalizationOptions metadata to preprocess input images.
                """)
        }
    }
}
