import HearthImaging
import HearthModelFile
import TensorFlowLite

/// The input of a model that takes one picture: how a picture is written into it.
struct PictureInput: Sendable {
    let writer: ImageTensorWriter

    /// - Parameters:
    ///   - input: `[1, height, width, 3]`, uint8, int8 or float32.
    ///   - units: What the metadata says is done to the picture; a float32 input needs a normalization.
    /// - Throws: when the input does not take a picture.
    init(
        _ input: Tensor.Description, units: [ModelMetadata.ProcessUnit]
    ) throws {
        let dimensions = input.shape.dimensions
        guard dimensions.count == 4, dimensions[0] == 1, dimensions[3] == 3 else {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model does not take pictures: its input '\(input.name)' has the shape \(dimensions), not \
                [1, height, width, 3].
                """)
        }
        writer = try ImageTensorWriter(
            width: dimensions[2], height: dimensions[1], format: try Self.format(of: input, units))
    }

    /// Quantized inputs take the bytes as they are, whatever the metadata says of normalization.
    private static func format(
        of input: Tensor.Description, _ units: [ModelMetadata.ProcessUnit]
    ) throws -> TensorImageFormat {
        switch input.dataType {
        case .uInt8: return .uint8
        case .int8: return .int8
        case .float32:
            for case .normalization(let mean, let deviation) in units {
                return .float32(mean: mean, std: deviation)
            }
            throw VisionError.make(
                .failedPrecondition,
                """
                Failed to initialize detector. Input tensor has type kTfLiteFloat32: it requires specifying \
                NormalizationOptions metadata to preprocess input images.
                """)
        default:
            throw VisionError.make(
                .failedPrecondition, "The model's input '\(input.name)' holds \(input.dataType) values, not a picture.")
        }
    }
}
