@_exported public import Foundation
@_exported public import HearthPlatform

@_exported public import protocol HearthVision.MLKitCompatibleImage
@_exported public import class HearthVision.VisionImage
