import Foundation
import HearthModelFile

/// The declared type and dimensions of one input or output, which have been checked.
struct TensorFormat: Sendable {
    static let maximumRank = 8
    /// The most bytes that a model file can address.
    static let largestByteCount = 0x7FFF_FFFF

    let type: ModelElementType
    let element: any ArrayElement.Type
    /// One to eight, each at least 1.
    let dimensions: [Int]
    let byteCount: Int

    /// - Parameter name: The name of the input or output in error texts: `input 0`.
    init(_ type: ModelElementType, dimensions: [NSNumber], name: String) throws {
        guard let element = type.element else {
            throw MachineLearningError.make(
                .invalidArgument, "The type of \(name) is unknown; use float32, int32, uInt8 or int64.")
        }
        guard !dimensions.isEmpty else {
            throw MachineLearningError.make(.invalidArgument, "The dimensions of \(name) are empty; give at least one.")
        }
        guard dimensions.count <= Self.maximumRank else {
            throw MachineLearningError.make(
                .invalidArgument,
                "The dimensions of \(name) are \(dimensions.count); at most \(Self.maximumRank) are possible.")
        }
        self.type = type
        self.element = element
        self.dimensions = try dimensions.map { try Self.size($0, of: name) }
        byteCount = try Self.byteCount(element, self.dimensions, name)
    }

    private static func size(_ dimension: NSNumber, of name: String) throws -> Int {
        guard let size = Int(fitting: Number(dimension)), size > 0 else {
            throw MachineLearningError.make(
                .invalidArgument, "A dimension of \(name) is \(dimension); each must be a whole number above 0.")
        }
        return size
    }

    private static func byteCount(_ element: any ArrayElement.Type, _ dimensions: [Int], _ name: String) throws -> Int {
        var bytes = element.byteCount
        for dimension in dimensions {
            let (product, overflow) = bytes.multipliedReportingOverflow(by: dimension)
            guard !overflow, product <= largestByteCount else {
                throw MachineLearningError.make(
                    .invalidArgument, "The \(name) with the dimensions \(dimensions) would need 2 GiB or more.")
            }
            bytes = product
        }
        return bytes
    }
}
