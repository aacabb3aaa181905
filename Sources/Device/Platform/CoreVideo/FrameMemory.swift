#if !canImport(CoreVideo)
    import Foundation

    /// One plane's memory, whose address stays the same as long as somebody holds it.
    ///
    /// `@unchecked Sendable`: address and length never change, and the memory is given back once, by the last who holds it. What lies in
    /// it is written by apps between locking and unlocking a buffer, who keep their threads apart as with CoreVideo.
    final class FrameMemory: @unchecked Sendable {
        let address: UnsafeMutableRawPointer
        let byteCount: Int
        private let giveBack: (UnsafeMutableRawPointer) -> Void

        /// The memory of somebody else, who gets it back on whichever thread held it last.
        init(_ address: UnsafeMutableRawPointer, byteCount: Int, giveBack: @escaping (UnsafeMutableRawPointer) -> Void)
        {
            self.address = address
            self.byteCount = byteCount
            self.giveBack = giveBack
        }

        /// Zeroed memory of its own; nil when there is none.
        convenience init?(byteCount: Int) {
            // calloc, because it reports a lack of memory instead of trapping; of 0 bytes it may give no address.
            guard let address = calloc(max(byteCount, 1), 1) else { return nil }
            self.init(address, byteCount: byteCount) { free($0) }
        }

        /// A copy; nil when there is no memory.
        convenience init?(copying bytes: Data) {
            self.init(byteCount: bytes.count)
            bytes.copyBytes(to: UnsafeMutableRawBufferPointer(start: address, count: byteCount))
        }

        deinit { giveBack(address) }

        /// The bytes without a copy: they change when the memory is written, and hold it.
        var bytes: Data {
            guard byteCount > 0 else { return Data() }
            return Data(
                bytesNoCopy: address, count: byteCount, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
        }
    }

#endif
