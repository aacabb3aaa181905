public import Foundation

/// A box to draw, and the text on its plate.
public struct BoxAnnotation: Sendable, Hashable {
    /// The box in pixels of the image, with (0, 0) at its top left corner; clipped to the image. A box without area, or
    /// with a side that is not a finite number, is not drawn.
    public var frame: CGRect

    /// The text on the plate. It is untrusted and may contain anything. A box without text and confidence gets no
    /// plate.
    public var text: String

    /// The confidence, shown after the text; not shown if it is not a finite number. It is a percentage with one
    /// decimal if all confidences of the drawing are 0 to 1, else a number with two.
    public var confidence: Float?

    /// The index of a colour in the style's palette, for example the number of the object's class. Any number is valid.
    public var colorIndex: Int

    /// Creates a box.
    public init(frame: CGRect, text: String = "", confidence: Float? = nil, colorIndex: Int = 0) {
        self.frame = frame
        self.text = text
        self.confidence = confidence
        self.colorIndex = colorIndex
    }
}
