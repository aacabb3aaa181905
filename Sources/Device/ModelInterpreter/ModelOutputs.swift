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

/// Makes the nested arrays that apps read outputs from.
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

    /// Cuts into rows from the last dimension on, so that the result's type is as deep as the dimensions are many.
    private static func nest<Item: Sendable>(_ items: [Item], _ dimensions: ArraySlice<Int>) -> any Sendable {
        guard let length = dimensions.last, dimensions.count > 1 else { return items }
        let rows = stride(from: 0, to: items.count, by: length).map { Array(items[$0..<$0 + length]) }
        return nest(rows, dimensions.dropLast())
    }
}
