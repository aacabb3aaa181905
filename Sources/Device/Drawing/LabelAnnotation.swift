/// One line of the caption: a label of the whole image.
public struct LabelAnnotation: Sendable, Hashable {
    /// The text of the line. It is untrusted and may contain anything.
    public var text: String

    /// The confidence, shown after the text; not shown if it is not a finite number. It is a percentage with one
    /// decimal if all confidences of the drawing are 0 to 1, else a number with two.
    public var confidence: Float?

    /// Creates a line.
    public init(text: String, confidence: Float? = nil) {
        self.text = text
        self.confidence = confidence
    }
}
