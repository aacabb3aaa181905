public import Foundation

/// One object that a ``BoxDetector`` found in an image.
public struct DetectedBox: Sendable, Hashable {
    /// The place of the object, in pixels of the upright original image with (0, 0) at the top left, clipped to the
    /// image. Not rounded; never empty.
    public let frame: CGRect

    /// The place of the object before clipping to the image: it may reach beyond the image, where ``frame`` does not.
    public let unclippedFrame: CGRect

    /// The label's text; empty when the model has no name for this class.
    public let text: String

    /// The class number that the model uses, from 0.
    public let index: Int

    /// The model's score, usually 0...1.
    public let confidence: Float

    /// Of all scores of the image.
    package var scoreRange = ScoreRange()

    /// Identifies the same object from image to image; nil unless ``BoxDetectorOptions/tracksObjects`` is on.
    public internal(set) var trackingID: Int?
}
