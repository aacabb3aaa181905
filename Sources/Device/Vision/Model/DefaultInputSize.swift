import Foundation
import HearthModelFile
import TensorFlowLite

/// The size of a model's image input before the first image: the model's own. Where that is open, it is the size that
/// the metadata suggests, else the most common size.
struct DefaultInputSize: Sendable {
    private static let side = 224

    /// nil unless a dimension of the image is open.
    private let shape: [Int]?
    private let openDimensions: [Bool]

    init(_ graph: ModelGraph, _ metadata: ModelMetadata.Tensor?) {
        let subgraph = graph.subgraphs.first
        let tensor = subgraph?.inputs.first.flatMap { subgraph?.tensors[$0] }
        let signature = tensor?.shapeSignature ?? []
        openDimensions = signature.map { $0 < 0 }
        var suggested: (width: Int?, height: Int?)
        if case .image(let image) = metadata?.content?.properties {
            suggested = (image.defaultWidth, image.defaultHeight)
        }
        shape = ImageInputShape.defaultShape(
            signature, width: Self.usable(suggested.width), height: Self.usable(suggested.height))
    }

    /// Resizes the interpreter's first input to this size.
    /// - Returns: Which dimensions are open.
    func apply(to interpreter: Interpreter) throws -> [Bool] {
        if let shape { try interpreter.resizeInput(at: 0, to: Tensor.Shape(shape)) }
        return openDimensions
    }

    private static func usable(_ suggested: Int?) -> Int {
        guard let suggested, (1...2_000).contains(suggested) else { return side }
        return suggested
    }
}
