/// The labels of the whole picture, on a dark panel in its top left corner: names on the left, confidences on the right.
struct CaptionPanel {
    private typealias Row = (label: TextLine, confidence: TextLine)

    let area: PixelArea
    private let rows: [Row]
    private let metrics: TextMetrics

    /// Nil where the picture has no room for a line. Lines that do not fit are left out, from the last.
    init?(_ labels: [LabelAnnotation], font: FontFace, metrics: TextMetrics, bounds: PixelArea) {
        let margin = metrics.padding
        let maxWidth = bounds.width - 2 * (margin + metrics.padding)
        let maxRows = (bounds.height - 2 * margin) / metrics.rowHeight
        guard maxWidth > 0, maxRows > 0 else { return nil }
        rows = labels.prefix(maxRows).map { Self.row($0, font: font, gap: metrics.textSize, maxWidth: maxWidth) }
        let width = rows.map { Self.width($0, gap: metrics.textSize) }.max() ?? 0
        guard width > 0 else { return nil }
        self.metrics = metrics
        area = PixelArea(
            left: bounds.left + margin, top: bounds.top + margin, width: width + 2 * metrics.padding,
            height: rows.count * metrics.rowHeight)
    }

    private static func row(_ label: LabelAnnotation, font: FontFace, gap: Int, maxWidth: Int) -> Row {
        let percentage = LabelText.percentage(label.confidence) ?? []
        let confidence = TextLine(percentage, font: font, maxWidth: maxWidth)
        let text = LabelText.visible(label.text)
        let room = maxWidth - (confidence.isEmpty ? 0 : confidence.width + gap)
        let name = TextLine(text, font: font, maxWidth: room)
        // In a very narrow picture the name matters more.
        return name.isEmpty && !text.isEmpty
            ? (TextLine(text, font: font, maxWidth: maxWidth), TextLine(font: font)) : (name, confidence)
    }

    private static func width(_ row: Row, gap: Int) -> Int {
        row.label.width + (row.confidence.isEmpty ? 0 : gap + row.confidence.width)
    }

    func draw(on canvas: Canvas) {
        RoundedRectangle(area, radius: metrics.padding).draw(on: canvas, Ink(color: .black, opacity: 180))
        for (index, row) in rows.enumerated() {
            let baseline = metrics.baseline(inRowAt: area.top + index * metrics.rowHeight)
            let right = area.right - metrics.padding - row.confidence.width
            let ink = Ink(color: .white)
            row.label.draw(on: canvas, x: area.left + metrics.padding, baseline: baseline, clip: area, ink)
            row.confidence.draw(on: canvas, x: right, baseline: baseline, clip: area, ink)
        }
    }
}
