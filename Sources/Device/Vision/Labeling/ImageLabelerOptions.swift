public import Foundation
public import HearthImaging
import HearthModelFile
public import HearthModelSource

/// What every image labeler can be told. Not thread safe while it is being filled in; a labeler keeps a copy.
open class CommonImageLabelerOptions: NSObject {
    /// Labels below it are left out; 0...1. nil, or a number outside: what the model's metadata says, else 0.
    public var confidenceThreshold: NSNumber?

    override init() {}
}

/// Options of a labeler with a model of the app's own.
///
/// The model takes one image, `[1, height, width, 3]` RGB as uint8, int8 or float32, and gives scores as `[1, N]` or
/// `[1, 1, 1, N]` in the same types; further outputs are not looked at. A float32 input needs normalization parameters in
/// the model's metadata. A model that leaves height and width open gets images at their own size.
open class CustomImageLabelerOptions: CommonImageLabelerOptions {
    /// The most labels to return; not positive: 10.
    public var maxResultCount = 0

    /// CPU threads for one image; nil for as many as there are processors, four at most. Hearth's addition.
    public var threadCount: Int?

    /// How images of other proportions are brought to the model's. The default, `.stretch`, is what ML Kit and the
    /// TensorFlow Lite Task Library do. Hearth's addition.
    public var placement = ImagePlacement.stretch

    /// How larger images are brought to the model's size; `.bilinear` for what ML Kit and the TensorFlow Lite Task Library
    /// do. Hearth's addition.
    public var resampling = ImageResampling.antialiased

    /// Language of the label texts, as the model's metadata writes it. Hearth's addition.
    ///
    /// A model may have two label files. A label's `text` is then the line of the first one in this language, and of the
    /// first file of all, which may hold ids, when there is none in this language.
    public var labelsLocale = "en"

    /// Only these labels are returned, by class name or text; empty for all. Names that the model does not know are ignored;
    /// when it knows none of them, labeling reports an error. Hearth's addition.
    public var allowedLabels: [String] = []

    /// These labels are not returned; not to be used together with `allowedLabels`. Hearth's addition.
    public var deniedLabels: [String] = []

    let place: ModelPlace

    /// A model on this device.
    public init(localModel: LocalModel) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// For code that passes the result of a failable initialiser on; with nil, labeling reports the missing model.
    public init(localModel: LocalModel?) {
        place = ModelPlace(localModel)
        super.init()
    }

    /// A model that is fetched to this device. While it is not there, labeling reports `notFound` and has it fetched; when
    /// a newer copy arrives, the next image is labelled with that.
    public init(remoteModel: CustomRemoteModel) {
        place = ModelPlace(remoteModel)
        super.init()
    }

    var filter: LabelFilter { LabelFilter(allowed: allowedLabels, denied: deniedLabels) }

    var settings: ModelSettings {
        ModelSettings(
            threadCount: threadCount, placement: placement, resampling: resampling, labelsLocale: labelsLocale)
    }
}

/// Which labels a labeler may return. Names are class names or display names; unknown ones are ignored.
struct LabelFilter: Sendable, Equatable {
    /// Empty for all.
    var allowed: [String] = []
    var denied: [String] = []

    /// Whether each label may be returned; nil when all may.
    /// - Throws: when there is no way to tell, or no label is left.
    func isAllowed(_ labels: LabelMap?) throws -> [Bool]? {
        if allowed.isEmpty && denied.isEmpty { return nil }
        guard allowed.isEmpty || denied.isEmpty else {
            throw VisionError.make(.invalidArgument, "Give allowedLabels or deniedLabels, not both.")
        }
        guard let labels else {
            throw VisionError.make(
                .failedPrecondition, "The model has no label file, so allowedLabels and deniedLabels cannot be used.")
        }
        let names = Set(allowed + denied)
        let isAllowed = (0..<labels.count).map { index in
            let isNamed = [labels.className(index), labels.displayName(index)].contains {
                $0.map(names.contains) ?? false
            }
            return isNamed != allowed.isEmpty
        }
        guard isAllowed.contains(true) else {
            throw VisionError.make(
                .invalidArgument, "allowedLabels and deniedLabels leave no label of the model; check their spelling.")
        }
        return isAllowed
    }
}
