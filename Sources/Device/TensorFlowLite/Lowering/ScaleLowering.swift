import HearthModelFile

/// Repeats the one scale of weights for each channel, where a kernel reads past the end of the list.
///
/// Exporters such as onnx2tf give the int8 weights of a floating-point `DEPTHWISE_CONV_2D` one scale. The engine's kernel
/// compares the number of scales with the size of the dimension that the file states for them, which is the first, of
/// size 1. Then it reads as many scales as there are channels, and multiplies by what stands behind the list.
enum ScaleLowering {
    /// - Returns: Whether there is something to change.
    static func apply(to rewrite: inout ModelRewrite, of graph: ModelGraph) -> Bool {
        var isChanged = false
        for (number, subgraph) in graph.subgraphs.enumerated() {
            for (place, operation) in subgraph.operators.enumerated() {
                guard let weights = HybridWeights(of: operation, in: subgraph), weights.lacksScales else { continue }
                rewrite.repeatScale(
                    ofInput: HybridWeights.place, ofOperator: place, inSubgraph: number, along: weights.channelDimension
                )
                isChanged = true
            }
        }
        return isChanged
    }
}
