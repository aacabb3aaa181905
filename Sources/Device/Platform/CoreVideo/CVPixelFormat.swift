#if !canImport(CoreVideo)

    /// A four-character code.
    public typealias OSType = UInt32

    /// Blue, green, red and alpha, 8 bits each, in one plane. Alpha is not looked at.
    public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241  // BGRA

    /// 4:2:0 in two planes, luma in 16...235 and then Cb and Cr by turns: NV12 of video.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076  // 420v

    /// 4:2:0 in two planes, luma in 0...255 and then Cb and Cr by turns: NV12 as many cameras give it.
    public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066  // 420f

#endif
