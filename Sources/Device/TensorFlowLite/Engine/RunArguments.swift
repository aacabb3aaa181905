import CLiteRT

/// The buffers of one run in the form that the engine takes: two arrays of handles, made once and used for many runs.
///
/// Keeps the buffers, which must outlive the runs. The engine is lent the arrays as they are and changes nothing.
final class RunArguments {
    let inputs: UnsafeMutableBufferPointer<LiteRtTensorBuffer?>
    let outputs: UnsafeMutableBufferPointer<LiteRtTensorBuffer?>
    private let buffers: [TensorBuffer]

    init(inputs: [TensorBuffer], outputs: [TensorBuffer]) {
        self.inputs = Self.handles(inputs)
        self.outputs = Self.handles(outputs)
        buffers = inputs + outputs
    }

    deinit {
        inputs.deallocate()
        outputs.deallocate()
    }

    private static func handles(_ buffers: [TensorBuffer]) -> UnsafeMutableBufferPointer<LiteRtTensorBuffer?> {
        let handles = UnsafeMutableBufferPointer<LiteRtTensorBuffer?>.allocate(capacity: buffers.count)
        _ = handles.initialize(from: buffers.map(\.handle))
        return handles
    }
}
