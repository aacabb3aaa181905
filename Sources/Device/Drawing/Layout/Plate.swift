/// A filled plate with a line of text.
struct Plate {
    let area: PixelArea
    let color: RGBColor
    /// Nil: there is no font.
    let line: TextLine?
    let metrics: TextMetrics

    func draw(on canvas: Canvas) {
        RoundedRectangle(area, radius: metrics.padding * 2 / 3).draw(on: canvas, Ink(color: color))
        line?.draw(
            on: canvas, x: area.left + metrics.padding, baseline: metrics.baseline(inRowAt: area.top), clip: area,
            Ink(color: color.textColor))
    }
}
