public import Foundation
import Synchronization

/// Says which inputs a model is given and which outputs are wanted of it, with their types and dimensions.
///
/// Safe to use from any thread. A run takes the formats that are there when it is asked for.
public final class ModelInputOutputOptions: NSObject, Sendable {
    private let mutableFormats = Mutex(Formats())

    /// Formats by index.
    struct Formats: Sendable {
        var inputs: [UInt: TensorFormat] = [:]
        var outputs: [UInt: TensorFormat] = [:]
    }

    public override init() {}

    /// Declares an input; an index that was declared before gets the new format.
    ///
    /// Every input of the model needs a format. Where the model leaves a dimension open, the one declared here is used.
    /// - Parameters:
    ///   - index: The place of the input in the model, from 0.
    ///   - dimensions: One to eight, the slowest varying first: `[1, 224, 224, 3]`. `[1]` for a single number.
    /// - Throws: An `NSError` with the code `invalidArgument` when the type is `.unknown`, when there are no dimensions or
    ///   more than eight, when one is not a whole number above 0, or when all make 2 GiB or more.
    public func setInputFormat(index: UInt, type: ModelElementType, dimensions: [NSNumber]) throws {
        let format = try TensorFormat(type, dimensions: dimensions, name: "input \(index)")
        mutableFormats.withLock { $0.inputs[index] = format }
    }

    /// Declares an output that the run shall give; an index that was declared before gets the new format.
    /// - Parameters:
    ///   - index: The place of the output in the model, from 0.
    ///   - dimensions: As for an input. They must be those that the model gives.
    /// - Throws: As ``setInputFormat(index:type:dimensions:)``.
    public func setOutputFormat(index: UInt, type: ModelElementType, dimensions: [NSNumber]) throws {
        let format = try TensorFormat(type, dimensions: dimensions, name: "output \(index)")
        mutableFormats.withLock { $0.outputs[index] = format }
    }

    var formats: Formats { mutableFormats.withLock { $0 } }
}
