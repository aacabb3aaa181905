import HearthModelFile

/// What turns an LSTM's cells into fewer outputs: weights, perhaps a bias, perhaps a clip.
struct FloatProjection {
    private let weights: FloatWeights
    private let bias: Vector<Float>?
    private let clip: Float

    init(_ reader: OperatorReader, _ shape: LSTMShape, _ type: ElementType) throws(ModelFileError) {
        weights = try reader.weights(
            LSTMSlot.projectionWeights, "projection weights", of: type, rows: shape.outputDepth,
            columns: shape.cells)
        bias = try reader.optionalVector(
            LSTMSlot.projectionBias, "projection bias", of: .float32, count: shape.outputDepth)
        clip = shape.options.projectionClip
    }

    func apply(_ cells: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>) {
        if let bias {
            output.update(from: bias.start, count: bias.count)
        } else {
            output.update(repeating: 0, count: weights.rows)
        }
        weights.add(cells, to: output)
        if clip > 0 { Activation.clip(output, weights.rows, from: -clip, to: clip) }
    }
}
