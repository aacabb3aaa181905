#if !canImport(CoreVideo)
    /// In pixels.
    public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

    /// In pixels.
    public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

    /// How the pixels are stored.
    public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormatType }

    /// Makes the memory's addresses known until as many unlockings follow. What is written in between is what labelers and detectors see that are
    /// given the frame afterwards. It keeps no other thread out.
    ///
    /// The first lock of a frame that was made from `Data` copies it once, also when it is only read.
    ///
    /// - Returns: `kCVReturnSuccess`, or `kCVReturnAllocationFailed` when there is no memory.
    @discardableResult
    public func CVPixelBufferLockBaseAddress(
        _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
    ) -> CVReturn {
        pixelBuffer.lock()
    }

    /// Ends one lock. The addresses must not be used any more after the last one.
    ///
    /// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` when it is not locked.
    @discardableResult
    public func CVPixelBufferUnlockBaseAddress(
        _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
    ) -> CVReturn {
        pixelBuffer.unlock()
    }

    /// The first row's start, for pixels in one plane; nil unless the buffer is locked, and for formats of several planes.
    public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
        CVPixelBufferIsPlanar(pixelBuffer) ? nil : pixelBuffer.address(ofPlane: 0)
    }

    /// From the start of a row to the start of the next. For formats of several planes, as many as make up all of them in `height` rows.
    public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
        guard CVPixelBufferIsPlanar(pixelBuffer) else { return pixelBuffer.bytesPerRow(ofPlane: 0) ?? 0 }
        let rows = max(pixelBuffer.height, 1)
        return (pixelBuffer.byteCount + rows - 1) / rows
    }

    /// All planes' bytes.
    public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.byteCount }

    /// Whether the format has several planes.
    public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.planeCount > 1 }

    /// 0 for pixels in one plane, as CoreVideo says.
    public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
        let count = pixelBuffer.planeCount
        return count > 1 ? count : 0
    }

    /// The start of a plane's first row; nil unless the buffer is locked, and where there is no such plane.
    public func CVPixelBufferGetBaseAddressOfPlane(
        _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
    ) -> UnsafeMutableRawPointer? {
        pixelBuffer.address(ofPlane: planeIndex)
    }

    /// From the start of a plane's row to the start of the next; 0 where there is no such plane.
    public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        pixelBuffer.bytesPerRow(ofPlane: planeIndex) ?? 0
    }

    /// In pixels: half of the image's for chroma. 0 where there is no such plane.
    public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        side(pixelBuffer.width, of: pixelBuffer, planeIndex)
    }

    /// In pixels: half of the image's for chroma. 0 where there is no such plane.
    public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        side(pixelBuffer.height, of: pixelBuffer, planeIndex)
    }

    /// Planes after the first are chroma of half the size, rounded up, in the formats that are known here.
    private func side(_ whole: Int, of pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return 0 }
        return planeIndex == 0 ? whole : whole / 2 + whole % 2
    }

    /// A set of flags of CoreVideo.
    public typealias CVOptionFlags = UInt64

    /// What is done with a buffer's memory while it is locked.
    public struct CVPixelBufferLockFlags: OptionSet, Sendable {
        public let rawValue: CVOptionFlags
        public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

        /// It is only read.
        public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
    }
#endif
