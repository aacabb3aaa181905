public import Foundation

/// What labelers and detectors take: `VisionImage` and `MLImage`. Not for apps to conform to.
public protocol MLKitCompatibleImage: NSObjectProtocol {}
