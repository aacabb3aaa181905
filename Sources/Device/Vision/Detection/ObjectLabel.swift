public import Foundation

/// What an object of an ``ObjectDetector`` may be.
public final class ObjectLabel: NSObject, Sendable {
    /// The label's text; empty when the model names none for this index.
    public let text: String
    /// The class as the model numbers it, from 0.
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
