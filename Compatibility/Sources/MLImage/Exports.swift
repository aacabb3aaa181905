@_exported public import Foundation
@_exported public import HearthPlatform

@_exported public import class HearthVision.MLImage
@_exported public import enum HearthVision.MLImageSourceType
