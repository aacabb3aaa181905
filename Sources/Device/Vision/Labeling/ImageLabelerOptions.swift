public import Foundation

/// Options of every image labeler. Fill them in on one thread; a labeler keeps a copy.
open class CommonImageLabelerOptions: NSObject {
    /// Labels with a lower confidence are left out; 0...1. nil, or a value outside that range, means the threshold of
    /// the model's metadata, else 0.
    public var confidenceThreshold: NSNumber?

    override init() {}
}
