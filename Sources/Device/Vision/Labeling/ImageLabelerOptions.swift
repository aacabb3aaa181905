public import Foundation
public import HearthModelSource

/// What every image labeler can be told. Not thread safe while it is being filled in; a labeler keeps a copy.
open class CommonImageLabelerOptions: NSObject {
    /// Labels below it are left out; 0...1. nil, or a number outside: what the model's metadata says, else 0.
    public var confidenceThreshold: NSNumber?

    override init() {}
}

/// Options of a labeler with a model of the app's own.
///
/// The model takes one picture, `[1, height, width, 3]` RGB as uint8, int8 or float32, and gives scores as `[1, N]` or
/// `[1, 1, 1, N]` in the same types. A float32 input needs normalization parameters in the model's metadata.
open class CustomImageLabelerOptions: CommonImageLabelerOptions {
    /// The most labels to return; not positive: 10.
    public var maxResultCount = 0

    let localModel: LocalModel?

    public init(localModel: LocalModel) {
        self.localModel = localModel
        super.init()
    }

    /// For code that passes the result of a failable initialiser on; with nil, labeling reports the missing model.
    public init(localModel: LocalModel?) {
        self.localModel = localModel
        super.init()
    }
}
