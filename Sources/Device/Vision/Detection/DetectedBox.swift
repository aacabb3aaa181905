public import Foundation

/// One thing that a ``BoxDetector`` found in a picture.
public struct DetectedBox: Sendable, Hashable {
    /// Where it is, in pixels of the upright original picture with (0, 0) at the top left, cut off at the picture's
    /// edges. Not rounded; never empty.
    public let frame: CGRect

    /// As ``frame``, but as the model gave it: it may reach beyond the picture.
    public let unclippedFrame: CGRect

    /// The label's text; empty when the model names none for this class.
    public let text: String

    /// The class as the model numbers it, from 0.
    public let index: Int

    /// The model's score, usually 0...1.
    public let confidence: Float

    /// The same for the same thing from picture to picture; nil unless ``BoxDetectorOptions/tracksObjects`` is on.
    public internal(set) var trackingID: Int?
}
