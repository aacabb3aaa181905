import Foundation
import Synchronization

/// The memory that images and files are read into. It is used again and again, since memory that is new to a process is
/// dear: the system fills each page of it with zeros first, which takes as long as decoding a small image.
///
/// When the last copy of an image goes away its memory waits here for the next one. What waits is bounded: 64 MiB in 16
/// pieces for the whole process; beyond that the pieces that have waited longest are given back to the system, and larger
/// ones at once. Images never show what was in the memory before.
public enum ImageMemory {
    /// How many bytes wait for the next image. May be called on any thread.
    public static var unusedByteCount: Int { MemoryPool.shared.unusedByteCount }

    /// Gives all memory that waits for the next image back to the system: for when memory is scarce, or after the last
    /// image for a while. Images in use keep theirs. May be called on any thread, at any time.
    public static func releaseUnused() {
        MemoryPool.shared.releaseUnused()
    }
}

/// Lends blocks of memory and keeps those that come back for the next borrower, within bounds.
final class MemoryPool: Sendable {
    static let shared = MemoryPool(maxByteCount: 64 << 20, maxBlockCount: 16)

    /// A piece of memory; whoever holds it owns it.
    // `@unchecked Sendable`: only a pointer and a number. What the pointer's memory holds belongs to the one owner.
    struct Block: @unchecked Sendable {
        let memory: UnsafeMutableRawPointer
        let byteCount: Int
    }

    private struct Unused {
        /// The longest unused first.
        var blocks: [Block] = []
        var byteCount = 0
    }

    private let maxByteCount: Int
    private let maxBlockCount: Int
    private let unused = Mutex(Unused())

    init(maxByteCount: Int, maxBlockCount: Int) {
        self.maxByteCount = maxByteCount
        self.maxBlockCount = maxBlockCount
    }

    deinit {
        releaseUnused()
    }

    var unusedByteCount: Int { unused.withLock { $0.byteCount } }

    /// A used block of at least `byteCount` bytes, the smallest there is and not more than twice as large, or new memory of
    /// exactly that size.
    ///
    /// - Returns: The block, and whether it is all zero; nil when there is no memory.
    func take(_ byteCount: Int) -> (block: Block, isZero: Bool)? {
        let size = max(byteCount, 1)
        let used = unused.withLock { unused -> Block? in
            let fitting = unused.blocks.indices.filter { index in
                let capacity = unused.blocks[index].byteCount
                return capacity >= size && capacity / 2 <= size
            }
            guard let best = fitting.min(by: { unused.blocks[$0].byteCount < unused.blocks[$1].byteCount }) else {
                return nil
            }
            unused.byteCount -= unused.blocks[best].byteCount
            return unused.blocks.remove(at: best)
        }
        if let used { return (used, false) }
        // calloc, because it reports a lack of memory instead of trapping, and takes pages only when they are written.
        guard let memory = calloc(size, 1) else { return nil }
        return (Block(memory: memory, byteCount: size), true)
    }

    /// - Parameter block: From `take`; not to be touched from here on.
    func recycle(_ block: Block) {
        guard block.byteCount <= maxByteCount else { return free(block.memory) }
        let surplus = unused.withLock { unused -> [Block] in
            unused.blocks.append(block)
            unused.byteCount += block.byteCount
            var surplus: [Block] = []
            while unused.byteCount > maxByteCount || unused.blocks.count > maxBlockCount {
                let oldest = unused.blocks.removeFirst()
                unused.byteCount -= oldest.byteCount
                surplus.append(oldest)
            }
            return surplus
        }
        surplus.forEach { free($0.memory) }
    }

    func releaseUnused() {
        let blocks = unused.withLock { unused in
            defer { unused = Unused() }
            return unused.blocks
        }
        blocks.forEach { free($0.memory) }
    }
}

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
        pool.recycle(block)
    }
}
