/// Sizes that go with a text size, in pixels.
struct TextMetrics {
    let textSize: Int
    let capHeight: Int

    /// - Parameter font: Nil where there is none: plates stay as high as with one.
    init(textSize: Int, font: FontFace?) {
        self.textSize = textSize
        capHeight = font?.capHeight ?? textSize * 7 / 10
    }

    /// Of a line with the room over and under it.
    var rowHeight: Int { Self.rowHeight(textSize: textSize) }

    /// Between the text and the sides of its plate.
    var padding: Int { max(2, textSize * 2 / 5) }

    /// Capital letters stand in the middle of their row.
    func baseline(inRowAt top: Int) -> Int { top + (rowHeight + capHeight) / 2 }

    static func rowHeight(textSize: Int) -> Int { (textSize * 27 + 10) / 20 }
}
