import HearthKernels
import HearthModelFile

/// Replaces each operator that keeps state in variable tensors by a ``RecurrentCustomKernel``.
///
/// The kernel holds the state itself, so the variable tensors become ordinary tensors without a use. A variable tensor
/// that is an input of its subgraph comes from the caller each time and keeps no state; it only loses its mark as a
/// variable.
enum StateLowering {
    /// - Returns: The kernels, by subgraph.
    static func apply(
        to rewrite: inout ModelRewrite, of model: ModelFile
    ) throws(ModelFileError) -> [Int: [RecurrentCustomKernel]] {
        var kernels: [Int: [RecurrentCustomKernel]] = [:]
        let called = model.graph.calledSubgraphs
        for (number, subgraph) in model.graph.subgraphs.enumerated() {
            let users = subgraph.userCounts
            for (place, node) in subgraph.operators.enumerated() where subgraph.keepsState(node) {
                let isShared = node.inputs.contains { $0 != -1 && subgraph.tensors[$0].isVariable && users[$0] > 1 }
                guard !isShared, !called.contains(number) else {
                    throw ModelFileError(
                        .unsupported,
                        "this engine cannot run the model: \(model.graph.text(operator: place, in: number)) "
                            + (isShared
                                ? "keeps state that something else uses, too"
                                : "keeps state inside of a loop or branch"))
                }
                let recurrent = try RecurrentOperator(model, subgraph: number, operator: place)
                let name = "HearthState\(number)_\(place)"
                rewrite.replaceOperator(
                    place, inSubgraph: number, withCustom: name, inputs: [recurrent.activationInput])
                kernels[number, default: []].append(RecurrentCustomKernel(name: name, recurrent))
            }
            for (place, tensor) in subgraph.tensors.enumerated() where tensor.isVariable {
                rewrite.clearVariable(tensor: place, inSubgraph: number)
            }
        }
        return kernels
    }
}

extension ModelGraph.Subgraph {
    fileprivate func keepsState(_ node: ModelGraph.Operator) -> Bool {
        node.mutatesInputs || !node.intermediates.isEmpty
            || node.inputs.contains { $0 != -1 && tensors[$0].isVariable && !inputs.contains($0) }
    }

    /// How many operators use each tensor, plus one if it is an output.
    fileprivate var userCounts: [Int] {
        var counts = [Int](repeating: 0, count: tensors.count)
        for user in operators.flatMap(\.inputs) + outputs where user != -1 { counts[user] += 1 }
        return counts
    }
}

/// Replaces a recurrent operator that the engine refuses by one of Hearth's.
final class RecurrentCustomKernel: CustomKernel {
    private let recurrent: RecurrentOperator

    init(name: String, _ recurrent: RecurrentOperator) {
        self.recurrent = recurrent
        super.init(name: name)
    }

    func resetState() {
        recurrent.resetState()
    }

    /// Keeps the state, so that ``restoreState()`` can bring it back before a run is repeated.
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
