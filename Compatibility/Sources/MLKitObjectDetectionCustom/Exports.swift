@_exported public import Foundation
@_exported public import MLKitObjectDetectionCommon

@_exported public import class HearthVision.CustomObjectDetectorOptions
