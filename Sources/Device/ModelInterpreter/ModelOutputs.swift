public import Foundation

/// The outputs of one run. Never changes, so any thread may use it.
public final class ModelOutputs: NSObject, Sendable {
    private let values: [UInt: any Sendable]

    init(_ values: [UInt: any Sendable]) {
        self.values = values
    }

    /// Returns an output of the model as nested arrays of `NSNumber`, with the dimensions that the options declared:
    /// for `[1, 1000]` a `[[NSNumber]]` with one row. Also on Linux, it can be cast to `[[Float]]`, `NSArray` and
    /// similar types. If all numbers are whole and small enough, it can also be cast to `[[Int]]` or `[[UInt8]]`.
    /// - Parameter index: The index of the output in the model, from 0.
    /// - Throws: An `NSError` with the code `invalidArgument` when the options declared no such output.
    public func output(index: UInt) throws -> Any {
        guard let value = values[index] else {
            throw MachineLearningError.make(
                .invalidArgument, "There is no output \(index); the options named \(values.keys.sorted()).")
        }
        return value
    }
}

/// Creates the nested arrays from which apps read outputs.
enum OutputArray {
    /// - Parameters:
    ///   - bytes: Elements in row-major order.
    ///   - dimensions: At least one, each above 0, whose product is the number of elements.
    static func make<Element: ArrayElement>(
        _: Element.Type, bytes: UnsafeRawBufferPointer, dimensions: [Int]
    ) -> any Sendable {
        let numbers = stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.size).map {
            bytes.loadUnaligned(fromByteOffset: $0, as: Element.self).number
        }
        return nest(numbers, dimensions[...])
    }

    /// Cuts into rows from the last dimension on, so that the type of the result has one level for each dimension.
    private static func nest<Item: Sendable>(_ items: [Item], _ dimensions: ArraySlice<Int>) -> any Sendable {
        guard let length = dimensions.last, dimensions.count > 1 else { return items }
        let rows = stride(from: 0, to: items.count, by: length).map { Array(items[$0..<$0 + length]) }
        return nest(rows, dimensions.dropLast())
    }
}
