import Foundation
import Synchronization

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
    func give(_ block: Block) {
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
