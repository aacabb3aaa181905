#if !canImport(CoreVideo)
    public import Foundation

    /// Called with the context and the memory when memory that `CVPixelBufferCreateWithBytes` wrapped is no longer
    /// used.
    public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

    /// Creates a buffer with zeroed memory of its own, rows without padding.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - width: The width in pixels, at least 1.
    ///   - height: The height in pixels, at least 1.
    ///   - pixelFormatType: `kCVPixelFormatType_32BGRA`, `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange` or
    ///     `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`.
    ///   - pixelBufferAttributes: Ignored.
    ///   - pixelBufferOut: Receives the buffer, or nil after an error.
    /// - Returns: `kCVReturnSuccess`, or the error: `kCVReturnInvalidPixelFormat`, `kCVReturnInvalidSize`,
    ///   `kCVReturnAllocationFailed`.
    public func CVPixelBufferCreate(
        _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
        _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        pixelBufferOut.pointee = nil
        guard (1...longestSide).contains(width), (1...longestSide).contains(height) else { return kCVReturnInvalidSize }
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        let sizes: [(rows: Int, bytesPerRow: Int)]
        switch pixelFormatType {
        case kCVPixelFormatType_32BGRA: sizes = [(height, width * 4)]
        case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
            sizes = [(height, width), (rows, columns * 2)]
        default: return kCVReturnInvalidPixelFormat
        }
        let planes = sizes.compactMap { size in
            FrameMemory(byteCount: size.rows * size.bytesPerRow).map { (memory: $0, bytesPerRow: size.bytesPerRow) }
        }
        guard planes.count == sizes.count else { return kCVReturnAllocationFailed }
        pixelBufferOut.pointee = CVPixelBuffer(
            width: width, height: height, pixelFormatType: pixelFormatType, memory: planes)
        return kCVReturnSuccess
    }

    /// Creates a buffer over existing memory in one plane, without a copy.
    ///
    /// - Parameters:
    ///   - allocator: Ignored.
    ///   - width: The width in pixels, at least 1.
    ///   - height: The height in pixels, at least 1.
    ///   - pixelFormatType: `kCVPixelFormatType_32BGRA`.
    ///   - baseAddress: `height * bytesPerRow` bytes, which belong to the buffer until `releaseCallback` is called.
    ///   - bytesPerRow: The bytes from the start of a row to the start of the next, at least `width * 4`.
    ///   - releaseCallback: Called once, on the thread that last used the buffer or an image of it.
    ///   - releaseRefCon: Passed to `releaseCallback`.
    ///   - pixelBufferAttributes: Ignored.
    ///   - pixelBufferOut: Receives the buffer, or nil after an error; the caller then keeps the memory.
    /// - Returns: `kCVReturnSuccess`, or the error: `kCVReturnInvalidPixelFormat`, `kCVReturnInvalidSize`,
    ///   `kCVReturnInvalidArgument`.
    public func CVPixelBufferCreateWithBytes(
        _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
        _ baseAddress: UnsafeMutableRawPointer, _ bytesPerRow: Int,
        _ releaseCallback: CVPixelBufferReleaseBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
        _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
    ) -> CVReturn {
        pixelBufferOut.pointee = nil
        guard pixelFormatType == kCVPixelFormatType_32BGRA else { return kCVReturnInvalidPixelFormat }
        guard (1...longestSide).contains(width), (1...longestSide).contains(height) else { return kCVReturnInvalidSize }
        let (byteCount, isTooMuch) = bytesPerRow.multipliedReportingOverflow(by: height)
        guard bytesPerRow >= width * 4, !isTooMuch else { return kCVReturnInvalidArgument }
        let memory = FrameMemory(baseAddress, byteCount: byteCount) { releaseCallback?(releaseRefCon, $0) }
        pixelBufferOut.pointee = CVPixelBuffer(
            width: width, height: height, pixelFormatType: pixelFormatType, memory: [(memory, bytesPerRow)])
        return kCVReturnSuccess
    }

    /// With sides up to this, no size overflows. Images for labelers and detectors have the same limit.
    private let longestSide = 1 << 28

    // Keys for the settings of cameras and for the attributes of new buffers. On phones they are `CFString`s; `as
    // String` works with both types.

    /// The pixel format, such as `kCVPixelFormatType_32BGRA`.
    public let kCVPixelBufferPixelFormatTypeKey: String = "PixelFormatType"
    /// The width in pixels.
    public let kCVPixelBufferWidthKey: String = "Width"
    /// The height in pixels.
    public let kCVPixelBufferHeightKey: String = "Height"
    /// Has no effect here.
    public let kCVPixelBufferCGImageCompatibilityKey: String = "CGImageCompatibility"
    /// Has no effect here.
    public let kCVPixelBufferCGBitmapContextCompatibilityKey: String = "CGBitmapContextCompatibility"

    /// The type of the attributes of a new buffer.
    public typealias CFDictionary = NSDictionary

    /// Stand-in for CoreFoundation's allocator. Memory always comes from the system here.
    public final class CFAllocator: Sendable {
        // Never created: only `nil` stands for the system's allocator.
        private init() {}
    }

    /// The system's allocator.
    public let kCFAllocatorDefault: CFAllocator? = nil

    /// The result of a call for a pixel buffer. The numbers are CoreVideo's.
    public typealias CVReturn = Int32

    /// The call succeeded.
    public let kCVReturnSuccess: CVReturn = 0
    /// An argument is invalid, or a buffer was unlocked without a lock.
    public let kCVReturnInvalidArgument: CVReturn = -6661
    /// There is not enough memory.
    public let kCVReturnAllocationFailed: CVReturn = -6662
    /// The pixel format is not supported here.
    public let kCVReturnInvalidPixelFormat: CVReturn = -6680
    /// The width or height is not possible for a buffer.
    public let kCVReturnInvalidSize: CVReturn = -6681
#endif
