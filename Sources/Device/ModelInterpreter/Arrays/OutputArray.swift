import Foundation

/// Makes the nested arrays that apps read outputs from.
enum OutputArray {
    /// - Parameters:
    ///   - bytes: Elements in row-major order.
    ///   - dimensions: At least one, each above 0, whose product is the number of elements.
    static func make<Element: TensorElement>(
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
