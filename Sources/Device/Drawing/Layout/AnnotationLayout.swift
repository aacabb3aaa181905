/// Where everything goes on a picture, decided before the first pixel is touched.
struct AnnotationLayout {
    /// Boxes after these get no plate: the search for free places would take for ever.
    static let maxPlates = 1_000

    private var frames: [BoxFrame] = []
    private var plates: [Plate] = []
    private var caption: CaptionPanel?

    private let bounds: PixelArea
    private let metrics: TextMetrics?
    private let font: FontFace?

    /// - Parameters:
    ///   - scale: Of the picture.
    ///   - font: At the scale's text size; nil where there is none.
    init(bounds: PixelArea, scale: PictureScale, font: FontFace?) {
        self.bounds = bounds
        self.font = font
        metrics = scale.textSize.map { TextMetrics(textSize: $0, font: font) }
    }

    /// Adds a panel with `labels`; call it before boxes are added, so that their plates keep off it.
    mutating func add(_ labels: [LabelAnnotation]) {
        guard let metrics, let font else { return }
        caption = CaptionPanel(labels, font: font, metrics: metrics, bounds: bounds)
    }

    mutating func add(_ boxes: [BoxAnnotation], lineWidth: Int, palette: [RGBColor]) {
        var colors = ColorAssignment(palette: palette)
        var placer = PlatePlacer(bounds: bounds, gap: max(1, lineWidth / 2))
        if let caption { placer.reserve(caption.area) }
        for box in boxes {
            guard let area = PixelArea(box.frame, in: bounds) else { continue }
            let color = colors.color(box.colorIndex)
            frames.append(BoxFrame(area: area, color: color, lineWidth: lineWidth))
            if frames.count <= Self.maxPlates, let plate = plate(for: box, at: area, color: color, &placer) {
                plates.append(plate)
            }
        }
    }

    private func plate(
        for box: BoxAnnotation, at area: PixelArea, color: RGBColor, _ placer: inout PlatePlacer
    ) -> Plate? {
        guard let metrics, !box.text.isEmpty || box.confidence != nil else { return nil }
        let maxWidth = bounds.width - 2 * metrics.padding
        let line = font.map { TextLine(label: box.text, confidence: box.confidence, font: $0, maxWidth: maxWidth) }
        let width = line.map { $0.isEmpty ? 0 : $0.width + 2 * metrics.padding } ?? metrics.rowHeight
        guard width > 0, width <= bounds.width else { return nil }
        guard let place = placer.place(width: width, height: metrics.rowHeight, at: area) else { return nil }
        return Plate(area: place, color: color, line: line, metrics: metrics)
    }

    /// Draws the first box last, so that it lies over the others, and all text over all boxes.
    func draw(on canvas: Canvas) {
        for frame in frames.reversed() { frame.draw(on: canvas) }
        for plate in plates.reversed() { plate.draw(on: canvas) }
        caption?.draw(on: canvas)
    }
}
