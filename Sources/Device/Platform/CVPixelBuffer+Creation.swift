#if !canImport(CoreVideo)
    public import Foundation

    /// Told when memory that `CVPixelBufferCreateWithBytes` wrapped is not used any more: the context and the memory.
    public typealias CVPixelBufferReleaseBytesCallback = (UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Void

    /// Makes a buffer with zeroed memory of its own, rows without padding.
    ///
    /// - Parameters:
    ///   - allocator: Not looked at.
    ///   - width: In pixels, at least 1.
    ///   - height: In pixels, at least 1.
    ///   - pixelFormatType: `kCVPixelFormatType_32BGRA`, `kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange` or
    ///     `kCVPixelFormatType_420YpCbCr8BiPlanarFullRange`.
    ///   - pixelBufferAttributes: Not looked at.
    ///   - pixelBufferOut: The buffer; nil when there is none.
    /// - Returns: `kCVReturnSuccess`, or what is wrong: `kCVReturnInvalidPixelFormat`, `kCVReturnInvalidSize`,
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

    /// Wraps memory in one plane, without a copy.
    ///
    /// - Parameters:
    ///   - allocator: Not looked at.
    ///   - width: In pixels, at least 1.
    ///   - height: In pixels, at least 1.
    ///   - pixelFormatType: `kCVPixelFormatType_32BGRA`.
    ///   - baseAddress: `height * bytesPerRow` bytes, which belong to the buffer until `releaseCallback` is called.
    ///   - bytesPerRow: From the start of a row to the start of the next, at least `width * 4`.
    ///   - releaseCallback: Called once, on whichever thread used the buffer or an image of it last.
    ///   - releaseRefCon: Handed to `releaseCallback`.
    ///   - pixelBufferAttributes: Not looked at.
    ///   - pixelBufferOut: The buffer; nil when there is none. The memory stays the caller's then.
    /// - Returns: `kCVReturnSuccess`, or what is wrong: `kCVReturnInvalidPixelFormat`, `kCVReturnInvalidSize`,
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

    /// Sides up to this have sizes that can be counted; the same as that of images for labelers and detectors.
    private let longestSide = 1 << 28

    // Keys of settings for cameras and of attributes for new buffers. On phones they are `CFString`s; `as String` fits both.

    /// The pixel format, such as `kCVPixelFormatType_32BGRA`.
    public let kCVPixelBufferPixelFormatTypeKey: String = "PixelFormatType"
    /// In pixels.
    public let kCVPixelBufferWidthKey: String = "Width"
    /// In pixels.
    public let kCVPixelBufferHeightKey: String = "Height"
    /// Has no effect here.
    public let kCVPixelBufferCGImageCompatibilityKey: String = "CGImageCompatibility"
    /// Has no effect here.
    public let kCVPixelBufferCGBitmapContextCompatibilityKey: String = "CGBitmapContextCompatibility"

    /// What attributes of a new buffer are given as.
    public typealias CFDictionary = NSDictionary

    /// Stand-in for CoreFoundation's: memory is always the system's here.
    public final class CFAllocator: Sendable {
        private init() {}
    }

    /// The system's own.
    public let kCFAllocatorDefault: CFAllocator? = nil

    /// How a call about a pixel buffer ended. The numbers are CoreVideo's.
    public typealias CVReturn = Int32

    /// It did what was asked.
    public let kCVReturnSuccess: CVReturn = 0
    /// An argument is not what it may be; also an unlocking without a lock.
    public let kCVReturnInvalidArgument: CVReturn = -6661
    /// There is no memory.
    public let kCVReturnAllocationFailed: CVReturn = -6662
    /// A pixel format that is not known here.
    public let kCVReturnInvalidPixelFormat: CVReturn = -6680
    /// A width or height that no buffer can have.
    public let kCVReturnInvalidSize: CVReturn = -6681
#endif
