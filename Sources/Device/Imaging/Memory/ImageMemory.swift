/// The memory that pictures and files are read into. It is used again and again, since memory that is new to a process is
/// dear: the system fills each page of it with zeros first, which takes as long as decoding a small picture.
///
/// When the last copy of a picture goes away its memory waits here for the next one. What waits is bounded: 64 MiB in 16
/// pieces for the whole process; beyond that the pieces that have waited longest are given back to the system, and larger
/// ones at once. Pictures never show what was in the memory before.
public enum ImageMemory {
    /// How many bytes wait for the next picture. May be called on any thread.
    public static var unusedByteCount: Int { MemoryPool.shared.unusedByteCount }

    /// Gives all memory that waits for the next picture back to the system: for when memory is scarce, or after the last
    /// picture for a while. Pictures in use keep theirs. May be called on any thread, at any time.
    public static func releaseUnused() {
        MemoryPool.shared.releaseUnused()
    }
}
