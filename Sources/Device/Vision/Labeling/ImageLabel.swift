public import Foundation

/// One thing that a labeler found in a picture.
public final class ImageLabel: NSObject, Sendable {
    /// The label's text; empty when the model names none for this index.
    public let text: String
    /// Its position in the model's output and label file, from 0.
    public let index: Int
    /// 0...1.
    public let confidence: Float

    init(text: String, index: Int, confidence: Float) {
        self.text = text
        self.index = index
        self.confidence = confidence
    }

    public override var description: String { "\(text.isEmpty ? "#\(index)" : text) \(confidence)" }
}
