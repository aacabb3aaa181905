import Foundation
import HearthImaging
import HearthModelFile
import TensorFlowLite

/// The size of a model's image input before the first image: the model's own. Where that is open, it is the size that
/// the metadata suggests, else the most common size.
struct DefaultInputSize: Sendable {
    private static let side = 224

    /// nil unless a dimension is open.
    private let shape: [Int]?
    private let openDimensions: [Bool]

    init(_ graph: ModelGraph, _ metadata: ModelMetadata.Tensor?) {
        let subgraph = graph.subgraphs.first
        let tensor = subgraph?.inputs.first.flatMap { subgraph?.tensors[$0] }
        let signature = tensor?.shapeSignature ?? []
        openDimensions = signature.map { $0 < 0 }
        guard signature.count == 4, openDimensions[1] || openDimensions[2] else {
            shape = nil
            return
        }
        var suggested: (width: Int?, height: Int?)
        if case .image(let image) = metadata?.content?.properties {
            suggested = (image.defaultWidth, image.defaultHeight)
        }
        let usual = [1, Self.usable(suggested.height), Self.usable(suggested.width), 3]
        shape = zip(signature, usual).map { $0 < 0 ? $1 : $0 }
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
