/// The memory layout of the rows of an operator's input and output, and the shapes that match it.
struct SequenceLayout {
    enum Order {
        /// [batch, depth]: each run is one step.
        case singleStep
        /// [batch, time, depth].
        case batchMajor
        /// [time, batch, depth].
        case timeMajor
    }

    let order: Order
    /// The batch, which the shape of the state determines.
    let batch: Int
    let inputDepth: Int
    let outputDepth: Int

    /// The number of steps in an input of `shape`.
    func steps(of shape: [Int]) throws(RecurrentOperatorError) -> Int {
        let rank = order == .singleStep ? 2 : 3
        guard shape.count == rank, let depth = shape.last else {
            throw mismatch(shape, "it needs \(rank) dimensions")
        }
        guard depth == inputDepth else { throw mismatch(shape, "its weights take \(inputDepth) values a step") }
        let found = order == .timeMajor ? shape[1] : shape[0]
        guard found == batch else { throw mismatch(shape, "its state is made for a batch of \(batch)") }
        let steps =
            switch order {
            case .singleStep: 1
            case .batchMajor: shape[1]
            case .timeMajor: shape[0]
            }
        guard steps > 0 else { throw mismatch(shape, "it needs at least one step") }
        return steps
    }

    func outputShape(steps: Int) -> [Int] {
        switch order {
        case .singleStep: [batch, outputDepth]
        case .batchMajor: [batch, steps, outputDepth]
        case .timeMajor: [steps, batch, outputDepth]
        }
    }

    /// The row for `step` of the batch's `item`, in an input or output of `steps` steps.
    func row(step: Int, item: Int, steps: Int) -> Int {
        order == .timeMajor ? step * batch + item : item * steps + step
    }

    /// The number of rows from one step's row to the next one's.
    var rowsBetweenSteps: Int { order == .timeMajor ? batch : 1 }

    private func mismatch(_ shape: [Int], _ reason: String) -> RecurrentOperatorError {
        RecurrentOperatorError(.shapeMismatch, "the operator cannot take an input of shape \(shape): \(reason)")
    }
}

/// Divides a run into blocks of steps, so that scratch memory stays small for long sequences.
///
/// For each sequence of the batch and each step of a block, the scratch holds several arrays of one width.
struct StepBlocks {
    /// The most floats in the scratch, unless a single step needs more: small enough for a processor's cache.
    private static let target = 1 << 15

    /// The elements from one step's arrays to the next one's.
    let stride: Int
    let scratchCount: Int
    private let stepsPerBlock: Int

    init(steps: Int, batch: Int, width: Int, arrays: Int) {
        stride = width * arrays
        stepsPerBlock = max(1, min(steps, Self.target / (batch * stride)))
        scratchCount = stepsPerBlock * batch * stride
    }

    /// The index of the arrays for a block's `step` and the batch's `item`.
    func place(step: Int, item: Int) -> Int {
        (item * stepsPerBlock + step) * stride
    }

    func forEachBlock(of steps: Int, _ body: (Range<Int>) -> Void) {
        var start = 0
        while start < steps {
            let end = min(start + stepsPerBlock, steps)
            body(start..<end)
            start = end
        }
    }
}
