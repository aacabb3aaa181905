import HearthConcurrency

#if !canImport(CoreVideo)
    public import Foundation
    import Synchronization

    /// Stand-in for CoreVideo's image: a frame of a camera or a video decoder, in its original memory.
    ///
    /// Its size and format never change; use these from any thread. The rules for its memory are CoreVideo's: lock it,
    /// and write it on one thread at a time. Missing: pools and attachments.
    public final class CVPixelBuffer: Sendable {
        /// One plane: its rows from the top.
        public struct Plane: Sendable {
            /// The bytes, `bytesPerRow` for each row; the last row may end with its last pixel.
            public var bytes: Data
            /// The bytes from the start of a row to the start of the next.
            public var bytesPerRow: Int

            /// Creates a plane.
            public init(_ bytes: Data, bytesPerRow: Int) {
                self.bytes = bytes
                self.bytesPerRow = bytesPerRow
            }
        }

        private struct Contents: Sendable {
            /// The planes as the app passed them. If there is `memory`, their bytes are there.
            var planes: [Plane]
            /// The planes' memory from the first lock on; nil before, unless the buffer was created with memory.
            var memory: [FrameMemory]?
            var lockCount = 0

            /// Created again each time, because `Data` keeps a copy of very short contents.
            var current: [Plane] {
                guard let memory else { return planes }
                return zip(memory, planes).map { Plane($0.bytes, bytesPerRow: $1.bytesPerRow) }
            }

            func byteCount(ofPlane index: Int) -> Int { memory?[index].byteCount ?? planes[index].bytes.count }
        }

        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// The format of the pixels.
        public let pixelFormatType: OSType

        private let contents: Lock<Contents>

        /// The planes, as many as the format has.
        ///
        /// After the first lock, their bytes are the buffer's memory, without a copy. Later writes to the buffer change
        /// them, and writes to such a plane's `bytes` may change the buffer. Copy them first, for example with
        /// `Data(Array(plane.bytes))`, or lock the buffer and write at its address.
        public var planes: [Plane] { contents.withLock { $0.current } }

        /// The sizes here and below are called in loops over rows and pixels, so they are read without creating `Data`.
        var planeCount: Int { contents.withLock { $0.planes.count } }

        /// The bytes of all planes.
        var byteCount: Int {
            contents.withLock { contents in
                contents.planes.indices.reduce(0) { $0 + contents.byteCount(ofPlane: $1) }
            }
        }

        /// nil for an unknown plane.
        func bytesPerRow(ofPlane index: Int) -> Int? {
            contents.withLock { $0.planes.indices.contains(index) ? $0.planes[index].bytesPerRow : nil }
        }

        /// Creates a frame. Hearth's addition.
        ///
        /// It does not check or copy anything. The labeler or detector that uses the frame reports errors, and the
        /// first lock copies the planes into writable memory.
        ///
        /// To wrap a camera's own memory, create the planes with `Data(bytesNoCopy:count:deallocator:)`. The memory
        /// must not change until `Data` calls the deallocator, on the thread that last used the frame. Return the
        /// buffer to the camera there. To lock memory without a copy, wrap it with `CVPixelBufferCreateWithBytes`.
        ///
        /// - Parameters:
        ///   - width: The width in pixels.
        ///   - height: The height in pixels.
        ///   - pixelFormatType: Labelers and detectors read `kCVPixelFormatType_32BGRA`,
        ///     `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange` and `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`.
        ///   - planes: One plane for 32BGRA. For the others luma, then chroma with half as many rows, rounded up.
        public init(width: Int, height: Int, pixelFormatType: OSType, planes: [Plane]) {
            self.width = width
            self.height = height
            self.pixelFormatType = pixelFormatType
            contents = Lock(Contents(planes: planes))
        }

        /// Creates a frame in writable memory.
        init(
            width: Int, height: Int, pixelFormatType: OSType, memory: [(memory: FrameMemory, bytesPerRow: Int)]
        ) {
            self.width = width
            self.height = height
            self.pixelFormatType = pixelFormatType
            contents = Lock(
                Contents(
                    planes: memory.map { Plane(Data(), bytesPerRow: $0.bytesPerRow) }, memory: memory.map(\.memory)))
        }

        /// Makes the memory writable, which takes a copy the first time.
        func lock() -> CVReturn {
            // The app's planes are released after the mutex. An app's deallocator may run then, and call this buffer or
            // wait for a thread that does.
            let (status, _): (CVReturn, [Plane]?) = contents.withLock { contents in
                var given: [Plane]?
                if contents.memory == nil {
                    let memory = contents.planes.compactMap { FrameMemory(copying: $0.bytes) }
                    guard memory.count == contents.planes.count else { return (kCVReturnAllocationFailed, nil) }
                    given = contents.planes
                    contents.planes = contents.planes.map { Plane(Data(), bytesPerRow: $0.bytesPerRow) }
                    contents.memory = memory
                }
                contents.lockCount += 1
                return (kCVReturnSuccess, given)
            }
            return status
        }

        func unlock() -> CVReturn {
            contents.withLock { contents in
                guard contents.lockCount > 0 else { return kCVReturnInvalidArgument }
                contents.lockCount -= 1
                return kCVReturnSuccess
            }
        }

        /// nil for a buffer that is not locked.
        func address(ofPlane index: Int) -> UnsafeMutableRawPointer? {
            let memory: FrameMemory? = contents.withLock { contents in
                guard contents.lockCount > 0, let memory = contents.memory, memory.indices.contains(index) else {
                    return nil
                }
                return memory[index]
            }
            return memory?.address
        }
    }

    /// An image of a video. Always a `CVPixelBuffer` here.
    public typealias CVImageBuffer = CVPixelBuffer

    /// A four-character code.
    public typealias OSType = UInt32

    /// Blue, green, red and alpha, 8 bits each, in one plane. Alpha is ignored.
    public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241  // BGRA

    /// 4:2:0 in two planes: luma in 16...235, then Cb and Cr alternating. NV12 of video.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076  // 420v

    /// 4:2:0 in two planes: luma in 0...255, then Cb and Cr alternating. NV12 of many cameras.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066  // 420f

    /// One plane's memory, whose address does not change as long as there is a reference to it.
    ///
    /// `@unchecked Sendable`: address and length never change, and the memory is released once, with the last
    /// reference. Apps write its contents between locking and unlocking a buffer, and keep their threads apart as with
    /// CoreVideo.
    final class FrameMemory: @unchecked Sendable {
        let address: UnsafeMutableRawPointer
        let byteCount: Int
        private let giveBack: (UnsafeMutableRawPointer) -> Void

        /// Memory of another owner, who gets it back on the thread that held the last reference.
        init(_ address: UnsafeMutableRawPointer, byteCount: Int, giveBack: @escaping (UnsafeMutableRawPointer) -> Void)
        {
            self.address = address
            self.byteCount = byteCount
            self.giveBack = giveBack
        }

        /// Zeroed memory of its own; nil when there is not enough memory.
        convenience init?(byteCount: Int) {
            // calloc, because it reports a lack of memory instead of trapping; for 0 bytes it may return no address.
            guard let address = calloc(max(byteCount, 1), 1) else { return nil }
            self.init(address, byteCount: byteCount) { free($0) }
        }

        /// A copy; nil when there is not enough memory.
        convenience init?(copying bytes: Data) {
            self.init(byteCount: bytes.count)
            bytes.copyBytes(to: UnsafeMutableRawBufferPointer(start: address, count: byteCount))
        }

        deinit { giveBack(address) }

        /// The bytes without a copy. They change when the memory is written, and they keep it alive.
        var bytes: Data {
            guard byteCount > 0 else { return Data() }
            return Data(
                bytesNoCopy: address, count: byteCount, deallocator: .custom { _, _ in withExtendedLifetime(self) {} })
        }
    }
#endif
