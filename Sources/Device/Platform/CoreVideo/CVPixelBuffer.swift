#if !canImport(CoreVideo)
    public import Foundation

    /// Stand-in for CoreVideo's picture: a frame of a camera or a video decoder, in the memory it came in. It never changes;
    /// use it from any thread.
    ///
    /// Missing: pools, attachments, locking, and creation through C functions, whose place the initialiser takes.
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

        /// In pixels.
        public let width: Int
        /// In pixels.
        public let height: Int
        public let pixelFormatType: OSType
        /// As many as the format has.
        public let planes: [Plane]

        /// A frame. Hearth's addition.
        ///
        /// Nothing is checked or copied here: whoever uses the frame reports what is wrong with it. To wrap a camera's own
        /// memory, make the planes with `Data(bytesNoCopy:count:deallocator:)`: the memory must not change until `Data` calls
        /// the deallocator, on whichever thread used the frame last; give the buffer back to the camera there.
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
            self.planes = planes
        }
    }

    /// A picture that video is made of. Here always a `CVPixelBuffer`.
    public typealias CVImageBuffer = CVPixelBuffer

    /// In pixels.
    public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int {
        pixelBuffer.width
    }

    /// In pixels.
    public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int {
        pixelBuffer.height
    }

    public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
        pixelBuffer.pixelFormatType
    }

#endif
