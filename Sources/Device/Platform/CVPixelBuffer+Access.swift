#if !canImport(CoreVideo)
    /// Returns the width in pixels.
    public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

    /// Returns the height in pixels.
    public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

    /// Returns the format of the pixels.
    public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType { pixelBuffer.pixelFormatType }

    /// Makes the addresses of the memory available until the buffer has been unlocked as often as it was locked.
    /// Labelers and detectors that receive the frame afterwards see what was written in between. The lock does not
    /// exclude other threads.
    ///
    /// The first lock of a frame that was created from `Data` copies it once, even for reading.
    ///
    /// - Returns: `kCVReturnSuccess`, or `kCVReturnAllocationFailed` when there is not enough memory.
    @discardableResult
    public func CVPixelBufferLockBaseAddress(
        _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
    ) -> CVReturn {
        pixelBuffer.lock()
    }

    /// Ends one lock. After the last one, the addresses must no longer be used.
    ///
    /// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` when the buffer is not locked.
    @discardableResult
    public func CVPixelBufferUnlockBaseAddress(
        _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
    ) -> CVReturn {
        pixelBuffer.unlock()
    }

    /// Returns the address of the first row, for pixels in one plane; nil for a buffer that is not locked, and for
    /// formats with several planes.
    public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
        CVPixelBufferIsPlanar(pixelBuffer) ? nil : pixelBuffer.address(ofPlane: 0)
    }

    /// Returns the bytes from the start of a row to the start of the next. For formats with several planes, it is the
    /// bytes of all planes divided by the height, rounded up.
    public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
        guard CVPixelBufferIsPlanar(pixelBuffer) else { return pixelBuffer.bytesPerRow(ofPlane: 0) ?? 0 }
        let rows = max(pixelBuffer.height, 1)
        return (pixelBuffer.byteCount + rows - 1) / rows
    }

    /// Returns the bytes of all planes.
    public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.byteCount }

    /// Returns whether the format has several planes.
    public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.planeCount > 1 }

    /// Returns the number of planes; 0 for pixels in one plane, as in CoreVideo.
    public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
        let count = pixelBuffer.planeCount
        return count > 1 ? count : 0
    }

    /// Returns the address of a plane's first row; nil for a buffer that is not locked, and for an unknown plane.
    public func CVPixelBufferGetBaseAddressOfPlane(
        _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
    ) -> UnsafeMutableRawPointer? {
        pixelBuffer.address(ofPlane: planeIndex)
    }

    /// Returns the bytes from the start of a plane's row to the start of the next; 0 for an unknown plane.
    public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        pixelBuffer.bytesPerRow(ofPlane: planeIndex) ?? 0
    }

    /// Returns a plane's width in pixels, which is half of the image's for chroma; 0 for an unknown plane.
    public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        side(pixelBuffer.width, of: pixelBuffer, planeIndex)
    }

    /// Returns a plane's height in pixels, which is half of the image's for chroma; 0 for an unknown plane.
    public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        side(pixelBuffer.height, of: pixelBuffer, planeIndex)
    }

    /// In the formats supported here, planes after the first are chroma of half the size, rounded up.
    private func side(_ whole: Int, of pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
        guard (0..<pixelBuffer.planeCount).contains(planeIndex) else { return 0 }
        return planeIndex == 0 ? whole : whole / 2 + whole % 2
    }

    /// A set of CoreVideo's flags.
    public typealias CVOptionFlags = UInt64

    /// How a buffer's memory is used while it is locked.
    public struct CVPixelBufferLockFlags: OptionSet, Sendable {
        /// The number that CoreVideo uses.
        public let rawValue: CVOptionFlags
        /// Creates flags from CoreVideo's number.
        public init(rawValue: CVOptionFlags) { self.rawValue = rawValue }

        /// The memory is only read.
        public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
    }
#endif
