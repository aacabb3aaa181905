import CLiteRT

/// The inputs' layouts or buffers, which the engine lends an operator for one call.
struct KernelInputs {
    private let count: Int
    private let layouts: UnsafePointer<LiteRtLayout>?
    private let buffers: UnsafePointer<LiteRtTensorBuffer?>?

    init(count: Int, layouts: UnsafePointer<LiteRtLayout>) {
        self.count = count
        self.layouts = layouts
        buffers = nil
    }

    init(count: Int, buffers: UnsafePointer<LiteRtTensorBuffer?>) {
        self.count = count
        self.buffers = buffers
        layouts = nil
    }

    func shape(_ index: Int) throws(KernelFailure) -> Tensor.Shape {
        guard let layouts, index < count else { throw KernelFailure(message: "an input is missing") }
        return layouts[index].shape
    }

    func memory(_ index: Int) throws(KernelFailure) -> UnsafeRawBufferPointer {
        guard let buffers, index < count else { throw KernelFailure(message: "an input is missing") }
        return UnsafeRawBufferPointer(try Self.memory(of: buffers[index]))
    }

    static func memory(of buffer: LiteRtTensorBuffer?) throws(KernelFailure) -> UnsafeMutableRawBufferPointer {
        var start: UnsafeMutableRawPointer?
        var byteCount = 0
        guard let buffer, LiteRtGetTensorBufferHostMemory(buffer, &start) == kLiteRtStatusOk,
            LiteRtGetTensorBufferPackedSize(buffer, &byteCount) == kLiteRtStatusOk
        else { throw KernelFailure(message: "the engine provides no memory for a tensor") }
        return UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }
}
