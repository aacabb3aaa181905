/// The outline of a box.
struct BoxFrame {
    let area: PixelArea
    let color: RGBColor
    let lineWidth: Int

    func draw(on canvas: Canvas) {
        // A dark seam on both sides shows the line on a ground of its own colour.
        let seam = (lineWidth + 2) / 4
        if seam > 0 {
            RoundedRectangle(area.outset(by: seam), radius: radius + seam, thickness: lineWidth + 2 * seam)
                .draw(on: canvas, Ink(color: .black, opacity: 100))
        }
        RoundedRectangle(area, radius: radius, thickness: lineWidth).draw(on: canvas, Ink(color: color))
    }

    private var radius: Int { lineWidth > 1 ? lineWidth * 3 / 2 : 0 }
}
