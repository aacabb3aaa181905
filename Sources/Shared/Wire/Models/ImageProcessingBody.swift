/// How an image becomes a model's input, and what the model's outputs mean: the JSON of the library's `ImageProcessing`.
///
/// Each member may be absent, which means: as the model's file says, else as usual.
public struct ImageProcessingBody: Codable, Sendable, Hashable, KeyedBody {
    /// The channels of the input in the tensor's order: `rgb`, `bgr`, `gray` or `rgba`.
    public var channels: String?
    /// Real number = (byte - mean) / standard deviation. One value for all channels, or one for each.
    public var mean: [Double]?
    /// See `mean`; none is 0.
    public var standardDeviation: [Double]?
    /// How an image is fitted to the proportions of the input: `stretch`, `letterbox`, `letterbox-top-left` or `crop`.
    public var resize: String?
    /// What turns a labeler's numbers into probabilities: `none`, `softmax` or `sigmoid`.
    public var activation: String?
    /// What the outputs of a detector are, such as `yolov8`.
    public var layout: String?
    /// Boxes and labels with a lower score are left out, 0 to 1.
    public var scoreThreshold: Double?
    /// Of two boxes of a class with a larger intersection over union, 0 to 1, the one with the lower score is left out.
    public var overlapThreshold: Double?

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case channels, mean, standardDeviation, resize, activation, layout, scoreThreshold, overlapThreshold
    }

    /// Makes one that states nothing.
    public init() {}

    /// Whether nothing is stated.
    package var isEmpty: Bool { self == ImageProcessingBody() }

    /// A member, and why no model can use its value; nil if some may.
    ///
    /// The probe refuses the same, and knows the model. This is for callers that must not wait for it.
    package var refusal: (member: String, text: String)? {
        for (key, value, known) in [
            (CodingKeys.channels, channels, Self.knownChannels), (.resize, resize, Self.knownResizes),
            (.activation, activation, Self.knownActivations), (.layout, layout, Self.knownLayouts),
        ] {
            guard let value, !known.contains(value) else { continue }
            return (key.rawValue, "This must be one of: \(known.joined(separator: ", ")).")
        }
        if let refusal = normalizationRefusal { return refusal }
        for (key, value) in [
            (CodingKeys.scoreThreshold, scoreThreshold), (.overlapThreshold, overlapThreshold),
        ] {
            guard let value, !(0...1).contains(value) else { continue }
            return (key.rawValue, "This must be a number from 0 to 1.")
        }
        return nil
    }

    /// The values of each member that is a word, as the library knows them.
    package static let knownChannels = ["rgb", "bgr", "gray", "rgba"]
    package static let knownResizes = ["stretch", "letterbox", "letterbox-top-left", "crop"]
    package static let knownActivations = ["none", "softmax", "sigmoid"]
    package static let knownLayouts = [
        "ssd", "yolov5-nms", "custom-vision", "ssd-scores", "anchors", "blazeface", "yolov5", "yolox", "yolov8",
        "yolo-nms", "detection-output", "fomo",
    ]

    /// Numbers of the library have 32 bits.
    private var normalizationRefusal: (member: String, text: String)? {
        guard mean != nil || standardDeviation != nil else { return nil }
        let (means, deviations) = (mean ?? [0], standardDeviation ?? [1])
        if !means.allSatisfy({ Float($0).isFinite }) {
            return (CodingKeys.mean.rawValue, "All numbers must be finite, also with 32 bits.")
        }
        if !deviations.allSatisfy({ Float($0).isFinite && Float($0).magnitude >= .ulpOfOne }) {
            return (
                CodingKeys.standardDeviation.rawValue, "All numbers must be finite with 32 bits, and none 0."
            )
        }
        let counts = channels.map { $0 == "gray" ? [1] : $0 == "rgba" ? [1, 4] : [1, 3] } ?? [1, 3, 4]
        guard means.count == deviations.count, counts.contains(means.count) else {
            return (
                CodingKeys.mean.rawValue,
                "Mean and standard deviation must have one number each, or one for each channel."
            )
        }
        return nil
    }
}
