#if !canImport(CoreMedia)
    #if canImport(CoreVideo)
        public import CoreVideo
    #endif

    /// Stand-in for CoreMedia's sample, which contains a camera's frame. Use it from any thread.
    ///
    /// Missing: time stamps, formats, audio, compressed data. A camera app on Linux creates one for each frame.
    public final class CMSampleBuffer: Sendable {
        /// The frame; nil when there is none.
        public let imageBuffer: CVImageBuffer?

        /// Creates a sample with a frame. Hearth's addition.
        public init(imageBuffer: CVImageBuffer?) {
            self.imageBuffer = imageBuffer
        }
    }

    /// Returns the sample's frame; nil when there is none.
    public func CMSampleBufferGetImageBuffer(_ sampleBuffer: CMSampleBuffer) -> CVImageBuffer? {
        sampleBuffer.imageBuffer
    }

#endif
