import HearthKernels

/// Puts one of our recurrent operators in the place of one that the engine refuses.
final class RecurrentKernel: CustomKernel {
    private let recurrent: RecurrentOperator

    init(name: String, _ recurrent: RecurrentOperator) {
        self.recurrent = recurrent
        super.init(name: name)
    }

    func resetState() {
        recurrent.resetState()
    }

    /// Keeps the state, for ``restoreState()`` to bring back when a run is repeated.
    func saveState() {
        recurrent.saveState()
    }

    func restoreState() {
        recurrent.restoreState()
    }

    override func outputShape(for inputs: KernelInputs) throws(KernelFailure) -> Tensor.Shape {
        let shape = try inputs.shape(0).dimensions
        do throws(RecurrentOperatorError) {
            return Tensor.Shape(try recurrent.prepare(inputShape: shape))
        } catch {
            throw KernelFailure(message: error.message)
        }
    }

    override func run(_ inputs: KernelInputs, output: UnsafeMutableRawBufferPointer) throws(KernelFailure) {
        let input = try inputs.memory(0)
        do throws(RecurrentOperatorError) {
            try recurrent.run(input: input, output: output)
        } catch {
            throw KernelFailure(message: error.message)
        }
    }
}
