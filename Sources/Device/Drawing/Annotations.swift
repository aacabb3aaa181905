public import Foundation

/// A box to draw, and what its plate says.
public struct BoxAnnotation: Sendable, Hashable {
    /// In pixels of the image, (0, 0) at its top left corner. What lies outside the image is cut off. A box without
    /// area, or with a side that is no finite number, is not drawn.
    public var frame: CGRect

    /// Untrusted: may hold anything. Empty, without a confidence too: the box gets no plate.
    public var text: String

    /// 0 to 1, shown as a percentage with one decimal behind the text; not shown when no finite number.
    public var confidence: Float?

    /// Which colour of the style's palette: the number of the object's class, say. Any number will do.
    public var colorIndex: Int

    public init(frame: CGRect, text: String = "", confidence: Float? = nil, colorIndex: Int = 0) {
        self.frame = frame
        self.text = text
        self.confidence = confidence
        self.colorIndex = colorIndex
    }
}

/// One line of the caption: a label of the whole image.
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
