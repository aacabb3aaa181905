#if !canImport(CoreVideo)
    public import Foundation

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

#endif
