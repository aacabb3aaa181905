// Where the system has these frameworks, apps get them. The stand-ins in this folder are for other systems.
#if canImport(CoreGraphics)
    @_exported public import CoreGraphics
#endif
#if canImport(UIKit)
    @_exported public import UIKit
#endif
#if canImport(AVFoundation)
    @_exported public import AVFoundation
#endif
#if canImport(CoreMedia)
    @_exported public import CoreMedia
#endif
#if canImport(CoreVideo)
    @_exported public import CoreVideo
#endif
