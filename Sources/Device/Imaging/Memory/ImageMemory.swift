import Foundation
import HearthConcurrency

/// The memory for images and files. It is kept and used again, because memory that is new to a process is expensive:
/// the system first fills each page with zeros, which takes as long as decoding a small image.
///
/// When the last copy of an image is freed, its memory is kept for the next one. The pool keeps at most 64 MiB in 16
/// pieces for the whole process. Beyond that, it returns the pieces that have been unused for longest to the system,
/// and larger pieces at once. Images never show the memory's old contents.
public enum ImageMemory {
    /// The number of bytes kept for the next image. Callable on any thread.
    public static var unusedByteCount: Int { MemoryPool.shared.unusedByteCount }

    /// Returns all memory that is kept for the next image to the system. Call it when memory is scarce, or after the
    /// last image for a while. Images in use keep their memory. Callable on any thread at any time.
    public static func releaseUnused() {
        MemoryPool.shared.releaseUnused()
    }
}

/// Lends blocks of memory, and keeps returned blocks for the next use, within limits.
final class MemoryPool: Sendable {
    static let shared = MemoryPool(maxByteCount: 64 << 20, maxBlockCount: 16)

    /// A piece of memory, owned by the code that holds it.
    // `@unchecked Sendable`: only a pointer and a number. The memory behind the pointer belongs to the one owner.
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
    private let unused = Lock(Unused())

    init(maxByteCount: Int, maxBlockCount: Int) {
        self.maxByteCount = maxByteCount
        self.maxBlockCount = maxBlockCount
    }

    deinit {
        releaseUnused()
    }

    var unusedByteCount: Int { unused.withLock { $0.byteCount } }

    /// A kept block of at least `byteCount` bytes: the smallest one, and at most twice as large. Without one, new
    /// memory of exactly that size.
    ///
    /// - Returns: The block, and whether it is all zero; nil when there is not enough memory.
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
        // calloc, because it reports a lack of memory instead of trapping, and uses pages only when they are written.
        guard let memory = calloc(size, 1) else { return nil }
        return (Block(memory: memory, byteCount: size), true)
    }

    /// - Parameter block: A block from `take`, which the caller must no longer use.
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
