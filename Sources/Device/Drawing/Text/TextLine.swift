/// A line of text, ready to draw: from left to right, with one glyph for each visible character.
struct TextLine {
    private(set) var glyphs: [(glyph: Glyph, x: Int)] = []

    /// The end of the line, in 1/64 pixels.
    private var end = 0

    private let font: FontFace

    /// The width in pixels.
    var width: Int { (end + 63) / 64 }

    var isEmpty: Bool { glyphs.isEmpty }

    init(font: FontFace) {
        self.font = font
    }

    /// - Parameter text: Text beyond `maxWidth` pixels is replaced by an ellipsis. If not even the ellipsis fits, the
    ///   line is empty.
    init(_ text: some Sequence<Unicode.Scalar>, font: FontFace, maxWidth: Int) {
        self.init(font: font)
        var ellipsis = TextLine(font: font)
        ellipsis.append(Self.ellipsis(of: font))
        // The part of the line that leaves room for the ellipsis.
        var fitting = ellipsis.width <= maxWidth ? (count: 0, end: 0) : nil
        for scalar in text {
            append(font.glyph(scalar))
            if width > maxWidth {
                glyphs.removeLast(glyphs.count - (fitting?.count ?? 0))
                end = fitting?.end ?? 0
                if fitting != nil { append(ellipsis) }
                return
            }
            if width + ellipsis.width <= maxWidth { fitting = (glyphs.count, end) }
        }
    }

    /// `label` followed by `confidence`. If the line is too long, the label is shortened and the confidence is kept.
    init(label: String, confidence: [Unicode.Scalar]?, font: FontFace, maxWidth: Int) {
        let label = LabelText.visible(label)
        guard let confidence else {
            self.init(label, font: font, maxWidth: maxWidth)
            return
        }
        let space: [Unicode.Scalar] = label.isEmpty ? [] : [" "]
        let ending = TextLine(space + confidence, font: font, maxWidth: maxWidth)
        self.init(label, font: font, maxWidth: maxWidth - ending.width)
        if glyphs.isEmpty, !label.isEmpty {
            self.init(label, font: font, maxWidth: maxWidth)
        } else {
            append(ending)
        }
    }

    private static func ellipsis(of font: FontFace) -> [Glyph] {
        font.has("\u{2026}") ? [font.glyph("\u{2026}")] : Array(repeating: font.glyph("."), count: 3)
    }

    private mutating func append(_ line: TextLine) {
        append(line.glyphs.map(\.glyph))
    }

    private mutating func append(_ added: [Glyph]) {
        for glyph in added { append(glyph) }
    }

    private mutating func append(_ glyph: Glyph) {
        if let last = glyphs.last { end = max(0, end + font.kerning(last.glyph, glyph)) }
        glyphs.append((glyph, (end + 32) / 64))
        end += glyph.advance
    }

    /// - Parameters:
    ///   - x: The left end of the line.
    ///   - baseline: The row below the letters.
    ///   - clip: Pixels outside of it are not changed.
    func draw(on canvas: Canvas, x: Int, baseline: Int, clip: PixelArea, _ ink: Ink) {
        let clip = clip.intersection(canvas.bounds)
        for (glyph, offset) in glyphs {
            let area = PixelArea(
                left: x + offset + glyph.left, top: baseline - glyph.top, width: glyph.width, height: glyph.height)
            let visible = area.intersection(clip)
            guard !visible.isEmpty else { continue }
            for row in visible.top..<visible.bottom {
                let source = (row - area.top) * glyph.width - area.left
                for column in visible.left..<visible.right {
                    canvas.blend(column, row, ink, coverage: glyph.coverage[source + column])
                }
            }
        }
    }
}
