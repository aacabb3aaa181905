/// The positions of all annotations on an image, computed before the first pixel changes.
struct AnnotationLayout {
    /// Boxes after these get no plate, because the search for free places would take too long.
    static let maxLabels = 1_000

    private var frames: [BoxFrame] = []
    private var labels: [BoxLabel] = []
    private var caption: CaptionPanel?

    private let bounds: PixelArea
    private let metrics: TextMetrics?
    private let font: FontFace?
    private let form: ConfidenceForm

    /// - Parameters:
    ///   - scale: The scale of the image.
    ///   - font: The font at the scale's text size; nil without one.
    ///   - form: How confidences are shown.
    init(bounds: PixelArea, scale: AnnotationScale, font: FontFace?, form: ConfidenceForm = .percent) {
        self.bounds = bounds
        self.font = font
        self.form = form
        metrics = scale.textSize.map { TextMetrics(textSize: $0, font: font) }
    }

    /// Adds a panel with `labels`. Call it before boxes are added, so that their plates avoid the panel.
    mutating func add(_ labels: [LabelAnnotation]) {
        guard let metrics, let font else { return }
        caption = CaptionPanel(labels, font: font, metrics: metrics, bounds: bounds, form: form)
    }

    mutating func add(_ boxes: [BoxAnnotation], lineWidth: Int, palette: [RGBColor]) {
        var colors = ColorAssignment(palette: palette)
        var placer = LabelPlacer(bounds: bounds, gap: max(1, lineWidth / 2))
        if let caption { placer.reserve(caption.area) }
        for box in boxes {
            guard let area = PixelArea(box.frame, in: bounds) else { continue }
            let color = colors.color(box.colorIndex)
            frames.append(BoxFrame(area: area, color: color, lineWidth: lineWidth))
            if frames.count <= Self.maxLabels, let plate = label(for: box, at: area, color: color, &placer) {
                labels.append(plate)
            }
        }
    }

    private func label(
        for box: BoxAnnotation, at area: PixelArea, color: RGBColor, _ placer: inout LabelPlacer
    ) -> BoxLabel? {
        guard let metrics, !box.text.isEmpty || box.confidence != nil else { return nil }
        let maxWidth = bounds.width - 2 * metrics.padding
        let confidence = LabelText.confidence(box.confidence, form)
        let line = font.map { TextLine(label: box.text, confidence: confidence, font: $0, maxWidth: maxWidth) }
        let width = line.map { $0.isEmpty ? 0 : $0.width + 2 * metrics.padding } ?? metrics.rowHeight
        guard width > 0, width <= bounds.width else { return nil }
        guard let place = placer.place(width: width, height: metrics.rowHeight, at: area) else { return nil }
        return BoxLabel(area: place, color: color, line: line, metrics: metrics)
    }

    /// Draws the first box last, so that it is above the others, and all text above all boxes.
    func draw(on canvas: Canvas) {
        for frame in frames.reversed() { frame.draw(on: canvas) }
        for plate in labels.reversed() { plate.draw(on: canvas) }
        caption?.draw(on: canvas)
    }
}

/// The outline of a box.
struct BoxFrame {
    let area: PixelArea
    let color: RGBColor
    let lineWidth: Int

    func draw(on canvas: Canvas) {
        // A dark seam on both sides makes the line visible on a background of its own colour.
        let seam = (lineWidth + 2) / 4
        if seam > 0 {
            RoundedRectangle(area.outset(by: seam), radius: radius + seam, thickness: lineWidth + 2 * seam)
                .draw(on: canvas, Ink(color: .black, opacity: 100))
        }
        RoundedRectangle(area, radius: radius, thickness: lineWidth).draw(on: canvas, Ink(color: color))
    }

    private var radius: Int { lineWidth > 1 ? lineWidth * 3 / 2 : 0 }
}

/// A filled plate with a line of text.
struct BoxLabel {
    let area: PixelArea
    let color: RGBColor
    /// nil without a font.
    let line: TextLine?
    let metrics: TextMetrics

    func draw(on canvas: Canvas) {
        RoundedRectangle(area, radius: metrics.padding * 2 / 3).draw(on: canvas, Ink(color: color))
        line?.draw(
            on: canvas, x: area.left + metrics.padding, baseline: metrics.baseline(inRowAt: area.top), clip: area,
            Ink(color: color.textColor))
    }
}

/// The labels of the whole image on a dark panel in its top left corner: names on the left, confidences on the right.
struct CaptionPanel {
    private typealias Row = (label: TextLine, confidence: TextLine)

    let area: PixelArea
    private let rows: [Row]
    private let metrics: TextMetrics

    /// nil if the image has no room for a line. Lines that do not fit are left out, starting with the last.
    init?(
        _ labels: [LabelAnnotation], font: FontFace, metrics: TextMetrics, bounds: PixelArea,
        form: ConfidenceForm = .percent
    ) {
        let margin = metrics.padding
        let maxWidth = bounds.width - 2 * (margin + metrics.padding)
        let maxRows = (bounds.height - 2 * margin) / metrics.rowHeight
        guard maxWidth > 0, maxRows > 0 else { return nil }
        rows = labels.prefix(maxRows).map { label in
            Self.row(
                label.text, LabelText.confidence(label.confidence, form) ?? [], font: font, gap: metrics.textSize,
                maxWidth: maxWidth)
        }
        let width = rows.map { Self.width($0, gap: metrics.textSize) }.max() ?? 0
        guard width > 0 else { return nil }
        self.metrics = metrics
        area = PixelArea(
            left: bounds.left + margin, top: bounds.top + margin, width: width + 2 * metrics.padding,
            height: rows.count * metrics.rowHeight)
    }

    private static func row(
        _ label: String, _ confidence: [Unicode.Scalar], font: FontFace, gap: Int, maxWidth: Int
    ) -> Row {
        let confidence = TextLine(confidence, font: font, maxWidth: maxWidth)
        let text = LabelText.visible(label)
        let room = maxWidth - (confidence.isEmpty ? 0 : confidence.width + gap)
        let name = TextLine(text, font: font, maxWidth: room)
        // In a very narrow image, the name is more important than the confidence.
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
