/// Owns a block of the pool: taken in `init`, given back in `deinit`.
// `@unchecked Sendable`: the pointer never changes. Its memory is written only by whoever made the object, before anyone else sees it;
// from then on it is only read.
final class PooledBytes: @unchecked Sendable {
    /// Exactly as many as were asked for.
    let bytes: UnsafeMutableRawBufferPointer

    private let block: MemoryPool.Block
    private let pool: MemoryPool

    /// Takes `byteCount` bytes, nil when there is no memory.
    ///
    /// - Parameter isCleared: Whether they must be zero; otherwise they hold anything.
    init?(_ byteCount: Int, isCleared: Bool, pool: MemoryPool = .shared) {
        guard let (block, isZero) = pool.take(byteCount) else { return nil }
        self.block = block
        self.pool = pool
        bytes = UnsafeMutableRawBufferPointer(start: block.memory, count: byteCount)
        if isCleared, !isZero { bytes.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    deinit {
        pool.give(block)
    }
}
