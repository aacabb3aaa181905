@_exported public import Foundation
@_exported public import MLKitImageLabelingCommon

@_exported public import class HearthVision.CustomImageLabelerOptions
