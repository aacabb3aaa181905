public import Foundation
import HearthConcurrency

/// The values for a run: one for each of the model's inputs, in the model's order.
///
/// Use it from any thread. A run uses the values at the time of the call.
public final class ModelInputs: NSObject, Sendable {
    private let mutableValues = Lock<[InputValue]>([])

    /// Creates an empty list of values.
    public override init() {}

    /// Adds the value of the next input, counted from 0.
    ///
    /// Numbers are converted to the declared type when the model runs. A number that does not fit is an error then, and
    /// so are rows of different lengths. Mutable arrays must not change until that run has ended.
    /// - Parameter input: Either `Data` with exactly the input's bytes (row-major, little-endian elements without
    ///   padding), or an array of numbers, nested to the depth of the input's dimensions, at most eight: `[Float]`,
    ///   `[[NSNumber]]`, `[[[[UInt8]]]]`, `NSArray` and so on.
    /// - Throws: An `NSError` with the code `invalidArgument` for anything else, and for an array without elements.
    public func addInput(_ input: Any) throws {
        let value = try InputValue(input)
        mutableValues.withLock { $0.append(value) }
    }

    var values: [InputValue] { mutableValues.withLock { $0 } }
}

/// The value of one input, as the app passed it.
///
/// `@unchecked Sendable`: `Data` and Swift arrays of numbers are values; an `NSArray` is only read, and the app has
/// promised not to change it before the run has ended (`ModelInputs.addInput`).
enum InputValue: @unchecked Sendable {
    case data(Data)
    case array(any NestedArray)

    init(_ value: Any) throws {
        if let data = value as? Data {
            self = .data(data)
        } else if let array = value as? any NestedArray {
            _ = try Self.shape(of: array)
            self = .array(array)
        } else {
            throw MachineLearningError.make(
                .invalidArgument, "An input must be Data or an array of numbers, not a \(type(of: value)).")
        }
    }

    /// The lengths of the first elements on each level: the array's shape, unless it is ragged.
    static func shape(of array: any NestedArray) throws -> [Int] {
        var shape: [Int] = []
        var level = array
        while shape.count < TensorFormat.maximumRank {
            guard let first = level.firstElement else {
                throw MachineLearningError.make(
                    .invalidArgument, "An input has an array without elements; give at least one number.")
            }
            shape.append(level.count)
            guard let next = first as? any NestedArray else {
                guard Number(first) != nil else {
                    throw MachineLearningError.make(
                        .invalidArgument, "An input has an array of \(type(of: first)); its elements must be numbers.")
                }
                return shape
            }
            level = next
        }
        throw MachineLearningError.make(
            .invalidArgument, "An input has arrays nested more than \(TensorFormat.maximumRank) levels deep.")
    }
}
