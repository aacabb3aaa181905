import CLiteRT

/// An operator of ours that the engine calls: one object for each such operator of each compiled model, since the engine
/// passes nothing else to tell them apart.
///
/// The engine calls on the thread that allocates or runs, one call at a time, and ignores what the calls return. So a
/// failure is kept here, to be taken after the engine's call is over.
class CustomKernel {
    /// Under which the engine looks for the operator.
    let name: String
    private var failure: String?
    /// Stays until the shapes change, which is when the engine asks again.
    private var shapeFailure: String?

    init(name: String) {
        self.name = name
    }

    /// Called at allocation, and during a run when an input's shape has changed.
    func outputShape(for inputs: KernelInputs) throws(KernelFailure) -> Tensor.Shape {
        throw KernelFailure(message: "\(name) does not implement this call")
    }

    /// Called in each run, after ``outputShape(for:)``.
    func run(_ inputs: KernelInputs, output: UnsafeMutableRawBufferPointer) throws(KernelFailure) {
        throw KernelFailure(message: "\(name) does not implement this call")
    }

    /// What went wrong in the engine's call since ``clearFailure()``, or with the present shapes.
    final var failureReason: String? { shapeFailure ?? failure }

    final func clearFailure() {
        failure = nil
    }

    /// - Parameter options: Whoever owns them keeps this object as long as models compiled with them live.
    final func add(to options: LiteRtOptions) throws(RuntimeFailure) {
        var kernel = LiteRtCustomOpKernel()
        kernel.Init = { _, _, _ in LiteRtStatus(kLiteRtStatusOk) }
        kernel.GetOutputLayouts = { user, count, inputs, _, outputs in
            guard let user, let inputs, let outputs else { return CustomKernel.invalidArgument }
            CustomKernel.object(user).setLayout(out: &outputs.pointee, KernelInputs(count: count, layouts: inputs))
            return LiteRtStatus(kLiteRtStatusOk)
        }
        kernel.Run = { user, count, inputs, _, outputs in
            guard let user, let inputs, let outputs else { return CustomKernel.invalidArgument }
            CustomKernel.object(user).run(KernelInputs(count: count, buffers: inputs), outputs.pointee)
            return LiteRtStatus(kLiteRtStatusOk)
        }
        kernel.Destroy = { _ in LiteRtStatus(kLiteRtStatusOk) }
        let user = Unmanaged.passUnretained(self).toOpaque()
        try RuntimeFailure.check(
            LiteRtAddCustomOpKernelOption(options, name, 1, &kernel, user), .create, "add an operator")
    }

    private func setLayout(out output: inout LiteRtLayout, _ inputs: KernelInputs) {
        do throws(KernelFailure) {
            output = LiteRtLayout(try outputShape(for: inputs))
            shapeFailure = nil
        } catch {
            shapeFailure = error.message
            // Something small: a run is stopped before it is used.
            output = LiteRtLayout([1])
        }
    }

    private func run(_ inputs: KernelInputs, _ output: LiteRtTensorBuffer?) {
        guard shapeFailure == nil else { return }
        do throws(KernelFailure) {
            try run(inputs, output: KernelInputs.memory(of: output))
        } catch {
            failure = error.message
        }
    }

    private static let invalidArgument: LiteRtStatus = 1

    private static func object(_ user: UnsafeMutableRawPointer) -> CustomKernel {
        Unmanaged<CustomKernel>.fromOpaque(user).takeUnretainedValue()
    }
}

struct KernelFailure: Error {
    let message: String
}

/// What the engine lends an operator for one call: the inputs' layouts or buffers.
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
