import CLiteRT

/// One of Hearth's operators, which the engine calls. Each such operator of each compiled model has its own object,
/// because the engine passes nothing else that identifies it.
///
/// The engine calls on the thread that allocates or runs, one call at a time, and ignores the results of these calls.
/// So this object keeps a failure until the engine's call has ended.
class CustomKernel {
    /// The name under which the engine looks up the operator.
    let name: String
    private var failure: String?
    /// Kept until the shapes change, because only then does the engine call again.
    private var shapeFailure: String?

    init(name: String) {
        self.name = name
    }

    /// Called at allocation, and during a run after an input's shape has changed.
    func outputShape(for inputs: KernelInputs) throws(KernelFailure) -> Tensor.Shape {
        throw KernelFailure(message: "\(name) does not implement this call")
    }

    /// Called in each run, after ``outputShape(for:)``.
    func run(_ inputs: KernelInputs, output: UnsafeMutableRawBufferPointer) throws(KernelFailure) {
        throw KernelFailure(message: "\(name) does not implement this call")
    }

    /// The failure in an engine's call since ``clearFailure()``, or a failure with the current shapes.
    final var failureReason: String? { shapeFailure ?? failure }

    final func clearFailure() {
        failure = nil
    }

    /// - Parameter options: The owner of the options must keep this object as long as models compiled with them live.
    final func add(to options: LiteRtOptions) throws(EngineError) {
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
        try EngineError.check(
            LiteRtAddCustomOpKernelOption(options, name, 1, &kernel, user), .create, "add an operator")
    }

    private func setLayout(out output: inout LiteRtLayout, _ inputs: KernelInputs) {
        do throws(KernelFailure) {
            output = LiteRtLayout(try outputShape(for: inputs))
            shapeFailure = nil
        } catch {
            shapeFailure = error.message
            // A small shape: the run stops before the output is used.
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
