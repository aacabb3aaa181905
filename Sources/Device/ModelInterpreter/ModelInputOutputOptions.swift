public import Foundation
import HearthConcurrency
import HearthModelFile

/// Declares a model's inputs and the outputs to return, with their types and dimensions.
///
/// Use it from any thread. A run uses the formats at the time of the call.
public final class ModelInputOutputOptions: NSObject, Sendable {
    private let mutableFormats = Lock(Formats())

    /// Formats by index.
    struct Formats: Sendable {
        var inputs: [UInt: TensorFormat] = [:]
        var outputs: [UInt: TensorFormat] = [:]
    }

    /// Creates options without formats.
    public override init() {}

    /// Declares an input. A second call for an index replaces its format.
    ///
    /// Every input of the model needs a format. Where the model leaves a dimension open, the declared one is used.
    /// - Parameters:
    ///   - index: The index of the input in the model, from 0.
    ///   - type: The type of the input's elements.
    ///   - dimensions: One to eight, the slowest varying first: `[1, 224, 224, 3]`. `[1]` for a single number.
    /// - Throws: An `NSError` with the code `invalidArgument` when the type is `.unknown`, when there are no dimensions
    ///   or more than eight, when one is not a whole number above 0, or when the size is 2 GiB or more.
    public func setInputFormat(index: UInt, type: ModelElementType, dimensions: [NSNumber]) throws {
        let format = try TensorFormat(type, dimensions: dimensions, name: "input \(index)")
        mutableFormats.withLock { $0.inputs[index] = format }
    }

    /// Declares an output that the run returns. A second call for an index replaces its format.
    /// - Parameters:
    ///   - index: The index of the output in the model, from 0.
    ///   - type: The type of the output's elements.
    ///   - dimensions: As for an input. They must equal those of the model's output.
    /// - Throws: The same errors as ``setInputFormat(index:type:dimensions:)``.
    public func setOutputFormat(index: UInt, type: ModelElementType, dimensions: [NSNumber]) throws {
        let format = try TensorFormat(type, dimensions: dimensions, name: "output \(index)")
        mutableFormats.withLock { $0.outputs[index] = format }
    }

    var formats: Formats { mutableFormats.withLock { $0 } }
}

/// The type of the elements of an input or output.
public enum ModelElementType: UInt, Sendable {
    /// Not a usable type: formats reject it.
    case unknown = 0
    /// IEEE 754 single precision.
    case float32 = 1
    /// Signed, 32 bits.
    case int32 = 2
    /// Unsigned, 8 bits.
    case uInt8 = 3
    /// Signed, 64 bits.
    case int64 = 4
}

extension ModelElementType {
    /// The element type of tensor memory; nil for `.unknown`.
    var element: (any ArrayElement.Type)? {
        switch self {
        case .unknown: nil
        case .float32: Float.self
        case .int32: Int32.self
        case .uInt8: UInt8.self
        case .int64: Int64.self
        }
    }

    /// The model file's name for the type.
    var fileType: ElementType? {
        switch self {
        case .unknown: nil
        case .float32: .float32
        case .int32: .int32
        case .uInt8: .uint8
        case .int64: .int64
        }
    }
}
