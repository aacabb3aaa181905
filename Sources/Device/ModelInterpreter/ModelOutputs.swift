public import Foundation

/// What a model gave for one run. Never changes: safe to use from any thread.
public final class ModelOutputs: NSObject, Sendable {
    private let values: [UInt: any Sendable]

    init(_ values: [UInt: any Sendable]) {
        self.values = values
    }

    /// An output of the model as nested arrays of `NSNumber`, shaped by the dimensions that the options declared: for
    /// `[1, 1000]` a `[[NSNumber]]` with one row. On Linux too it can be cast to `[[Float]]`, `NSArray` and their kin,
    /// and where all numbers are whole and small enough, to `[[Int]]` or `[[UInt8]]`.
    /// - Throws: An `NSError` with the code `invalidArgument` when the options named no such output.
    public func output(index: UInt) throws -> Any {
        guard let value = values[index] else {
            throw MachineLearningError.make(
                .invalidArgument, "There is no output \(index); the options named \(values.keys.sorted()).")
        }
        return value
    }
}
