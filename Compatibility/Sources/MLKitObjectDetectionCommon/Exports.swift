@_exported public import Foundation

@_exported public import class HearthVision.CommonObjectDetectorOptions
@_exported public import class HearthVision.Object
@_exported public import typealias HearthVision.ObjectDetectionCallback
@_exported public import class HearthVision.ObjectDetector
@_exported public import struct HearthVision.ObjectDetectorMode
@_exported public import class HearthVision.ObjectLabel
