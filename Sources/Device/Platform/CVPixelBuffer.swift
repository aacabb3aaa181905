#if !canImport(CoreVideo)
    public import Foundation
    import Synchronization

    /// Stand-in for CoreVideo's image: a frame of a camera or a video decoder, in the memory it came in. Its size and format never
    /// change; use it from any thread, and its memory as with CoreVideo: locked, and written by one thread at a time.
    ///
    /// Missing: pools and attachments.
    public final class CVPixelBuffer: Sendable {
        /// Rows from the top.
        public struct Plane: Sendable {
            /// `bytesPerRow` for each row; the last one may end with its last pixel.
            public var bytes: Data
            /// From the start of a row to the start of the next.
            public var bytesPerRow: Int

            public init(_ bytes: Data, bytesPerRow: Int) {
                self.bytes = bytes
                self.bytesPerRow = bytesPerRow
            }
        }

        private struct Contents: Sendable {
            /// As they were given; their bytes are in `memory` where there is one.
            var planes: [Plane]
            /// What the planes lie in, from the first lock on; nil before, unless they were made so.
            var memory: [FrameMemory]?
            var lockCount = 0

            /// Made anew each time: `Data` keeps a copy of the shortest.
            var current: [Plane] {
                guard let memory else { return planes }
                return zip(memory, planes).map { Plane($0.bytes, bytesPerRow: $1.bytesPerRow) }
            }

            func byteCount(ofPlane index: Int) -> Int { memory?[index].byteCount ?? planes[index].bytes.count }
        }

        /// In pixels.
        public let width: Int
        /// In pixels.
        public let height: Int
        /// How the pixels are stored.
        public let pixelFormatType: OSType

        private let contents: Mutex<Contents>

        /// As many as the format has. Once the buffer was locked, their bytes are its memory, without a copy: what is written
        /// into the buffer later changes them, and who writes into such a plane's `bytes` may write into the buffer. Copy them
        /// first, as with `Data(Array(plane.bytes))`, or lock the buffer and write at its address.
        public var planes: [Plane] { contents.withLock { $0.current } }

        /// Like the sizes below, asked in loops over rows and pixels: read without making `Data`.
        var planeCount: Int { contents.withLock { $0.planes.count } }

        /// All planes'.
        var byteCount: Int {
            contents.withLock { contents in
                contents.planes.indices.reduce(0) { $0 + contents.byteCount(ofPlane: $1) }
            }
        }

        /// nil where there is no such plane.
        func bytesPerRow(ofPlane index: Int) -> Int? {
            contents.withLock { $0.planes.indices.contains(index) ? $0.planes[index].bytesPerRow : nil }
        }

        /// A frame. Hearth's addition.
        ///
        /// Nothing is checked or copied here: whoever uses the frame reports what is wrong with it, and the first lock copies the
        /// planes into memory that can be written. To wrap a camera's own memory, make the planes with
        /// `Data(bytesNoCopy:count:deallocator:)`: the memory must not change until `Data` calls the deallocator, on whichever
        /// thread used the frame last; give the buffer back to the camera there. Memory that is to be locked without a copy is
        /// wrapped by `CVPixelBufferCreateWithBytes`.
        ///
        /// - Parameters:
        ///   - width: In pixels.
        ///   - height: In pixels.
        ///   - pixelFormatType: Labelers and detectors read `kCVPixelFormatType_32BGRA`,
        ///     `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange` and `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`.
        ///   - planes: For 32BGRA one; for the others luma, then chroma, of half as many rows, rounded up.
        public init(width: Int, height: Int, pixelFormatType: OSType, planes: [Plane]) {
            self.width = width
            self.height = height
            self.pixelFormatType = pixelFormatType
            contents = Mutex(Contents(planes: planes))
        }

        /// A frame in memory that can be written.
        init(
            width: Int, height: Int, pixelFormatType: OSType, memory: [(memory: FrameMemory, bytesPerRow: Int)]
        ) {
            self.width = width
            self.height = height
            self.pixelFormatType = pixelFormatType
            contents = Mutex(
                Contents(
                    planes: memory.map { Plane(Data(), bytesPerRow: $0.bytesPerRow) }, memory: memory.map(\.memory)))
        }

        /// Makes the memory one that can be written, which takes a copy the first time.
        func lock() -> CVReturn {
            // The planes that were given are let go of after the mutex: an app's deallocator may run then, and ask this buffer, or
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

        /// nil while nobody has locked it.
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

    /// An image that video is made of. Here always a `CVPixelBuffer`.
    public typealias CVImageBuffer = CVPixelBuffer

    /// A four-character code.
    public typealias OSType = UInt32

    /// Blue, green, red and alpha, 8 bits each, in one plane. Alpha is not looked at.
    public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241  // BGRA

    /// 4:2:0 in two planes, luma in 16...235 and then Cb and Cr by turns: NV12 of video.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076  // 420v

    /// 4:2:0 in two planes, luma in 0...255 and then Cb and Cr by turns: NV12 as many cameras give it.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066  // 420f

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
