#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Owns zeroed memory for one tensor, fit to be lent to the engine: aligned to a page (the engine asks for 64 bytes)
/// and readable past its end, which some kernels rely on. Pages that nothing touches take no memory.
final class TensorMemory {
    static let padding = 64

    let start: UnsafeMutableRawPointer
    let capacity: Int
    private let mappedByteCount: Int

    /// nil when the system has no room.
    init?(capacity: Int) {
        let (byteCount, overflow) = capacity.addingReportingOverflow(Self.padding)
        guard !overflow else { return nil }
        let protection = PROT_READ | PROT_WRITE
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let start = mmap(nil, byteCount, protection, flags, -1, 0), start != MAP_FAILED else { return nil }
        self.start = start
        self.capacity = capacity
        mappedByteCount = byteCount
    }

    deinit {
        munmap(start, mappedByteCount)
    }
}
