@_exported public import Foundation

@_exported public import class HearthVision.CommonImageLabelerOptions
@_exported public import class HearthVision.ImageLabel
@_exported public import class HearthVision.ImageLabeler
@_exported public import typealias HearthVision.ImageLabelingCallback
