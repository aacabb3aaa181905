/// Cuts a run into blocks of steps, so that scratch memory stays small however long a sequence is.
///
/// The scratch holds, for each sequence of the batch and each step of a block, some arrays of one width.
struct StepBlocks {
    /// Floats that the scratch may hold unless a single step needs more: small enough for a processor's cache.
    private static let target = 1 << 15

    /// Elements from one step's arrays to the next one's.
    let stride: Int
    let scratchCount: Int
    private let stepsPerBlock: Int

    init(steps: Int, batch: Int, width: Int, arrays: Int) {
        stride = width * arrays
        stepsPerBlock = max(1, min(steps, Self.target / (batch * stride)))
        scratchCount = stepsPerBlock * batch * stride
    }

    /// Where the arrays of a block's `step` for the batch's `item` begin.
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
