/// One line of the caption: a label of the whole picture.
public struct LabelAnnotation: Sendable, Hashable {
    /// Untrusted: may hold anything.
    public var text: String

    /// 0 to 1, shown as a percentage with one decimal behind the text; not shown when no finite number.
    public var confidence: Float?

    public init(text: String, confidence: Float? = nil) {
        self.text = text
        self.confidence = confidence
    }
}
