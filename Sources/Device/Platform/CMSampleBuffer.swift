#if !canImport(CoreMedia)
    #if canImport(CoreVideo)
        public import CoreVideo
    #endif

    /// Stand-in for CoreMedia's sample: what carries a camera's frame. Use it from any thread.
    ///
    /// Missing: time stamps, formats, audio, compressed data; a Linux camera program makes one around each frame.
    public final class CMSampleBuffer: Sendable {
        /// The frame; nil when there is none.
        public let imageBuffer: CVImageBuffer?

        /// A sample around a frame. Hearth's addition.
        public init(imageBuffer: CVImageBuffer?) {
            self.imageBuffer = imageBuffer
        }
    }

    /// The frame; nil when there is none.
    public func CMSampleBufferGetImageBuffer(_ sampleBuffer: CMSampleBuffer) -> CVImageBuffer? {
        sampleBuffer.imageBuffer
    }

#endif
