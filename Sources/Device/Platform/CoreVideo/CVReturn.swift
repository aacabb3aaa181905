#if !canImport(CoreVideo)

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
