#if !canImport(CoreVideo)

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
