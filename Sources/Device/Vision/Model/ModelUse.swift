/// What a model is opened for, which says what it must look like and how it is refused.
struct ModelUse: Sendable {
    /// For error texts: what the model is not.
    let name: String
    /// For error texts: what a bundle is not for.
    let purpose: String
    /// The `modelType` of an AutoML manifest; a manifest without one is for anything.
    let manifestType: String
    /// How many inputs it may have. The picture is the first.
    let inputCounts: ClosedRange<Int>

    static let imageLabeling = ModelUse(
        name: "an image labeler", purpose: "image labeling", manifestType: "IMAGE_LABELING", inputCounts: 1...1)
}
