/// Owns a block of the pool: taken in `init`, returned in `deinit`.
// `@unchecked Sendable`: the pointer never changes. Only the code that creates the object writes the memory, before it
// shares the object; from then on the memory is only read.
final class PooledBytes: @unchecked Sendable {
    /// Exactly the requested number of bytes.
    let bytes: UnsafeMutableRawBufferPointer

    private let block: MemoryPool.Block
    private let pool: MemoryPool

    /// Takes `byteCount` bytes; nil when there is not enough memory.
    ///
    /// - Parameter isCleared: Whether the bytes must be zero; otherwise their contents are undefined.
    init?(_ byteCount: Int, isCleared: Bool, pool: MemoryPool = .shared) {
        guard let (block, isZero) = pool.take(byteCount) else { return nil }
        self.block = block
        self.pool = pool
        bytes = UnsafeMutableRawBufferPointer(start: block.memory, count: byteCount)
        if isCleared, !isZero { bytes.initializeMemory(as: UInt8.self, repeating: 0) }
    }

    deinit {
        pool.recycle(block)
    }
}
