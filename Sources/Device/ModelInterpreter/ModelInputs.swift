public import Foundation
import Synchronization

/// What a model is run on: one value for each of its inputs, in the model's order.
///
/// Safe to use from any thread. A run takes the values that are there when it is asked for.
public final class ModelInputs: NSObject, Sendable {
    private let mutableValues = Mutex<[InputValue]>([])

    public override init() {}

    /// Adds the value of the next input, counted from 0.
    ///
    /// - Parameter input: Either `Data` with exactly the input's bytes (row-major, little-endian elements without
    ///   padding), or an array of numbers, nested to the depth of the input's dimensions, at most eight: `[Float]`,
    ///   `[[NSNumber]]`, `[[[[UInt8]]]]`, `NSArray` ... Numbers are converted to the declared type when the model runs;
    ///   one that does not fit is an error then, and so are rows of different lengths. Mutable arrays must not change
    ///   until that run has ended.
    /// - Throws: An `NSError` with the code `invalidArgument` for anything else, and for an array without elements.
    public func addInput(_ input: Any) throws {
        let value = try InputValue(input)
        mutableValues.withLock { $0.append(value) }
    }

    var values: [InputValue] { mutableValues.withLock { $0 } }
}
