public import Foundation

/// One thing that an ``ObjectDetector`` found in a picture.
public final class Object: NSObject, Sendable {
    /// Where it is, in pixels of the upright picture with (0, 0) at the top left; inside the picture.
    public let frame: CGRect

    /// Highest confidence first; empty unless classification is on.
    public let labels: [ObjectLabel]

    /// The same for the same object from frame to frame; nil unless the detector is in stream mode.
    public let trackingID: NSNumber?

    init(frame: CGRect, labels: [ObjectLabel], trackingID: NSNumber?) {
        self.frame = frame
        self.labels = labels
        self.trackingID = trackingID
    }

    public override var description: String {
        "\(frame) \(labels.map(\.description).joined(separator: ", "))"
    }
}
