/// A rectangle with antialiased round corners: filled, or a frame of a given thickness inside its area.
struct RoundedRectangle {
    private let area: PixelArea
    /// nil for a filled rectangle.
    private let thickness: Int?
    private let radius: Int

    /// - Parameters:
    ///   - radius: The radius of the corners, reduced if the area is too small for it.
    ///   - thickness: The thickness of a frame; nil for a filled rectangle.
    init(_ area: PixelArea, radius: Int, thickness: Int? = nil) {
        self.area = area
        let side = min(area.width, area.height)
        self.radius = max(0, min(radius, side / 2))
        // A frame without free space inside is a filled rectangle.
        self.thickness = thickness.flatMap { $0 * 2 < side ? $0 : nil }
    }

    func draw(on canvas: Canvas, _ ink: Ink) {
        guard !area.isEmpty else { return }
        drawEdges(on: canvas, ink)
        drawCorners(on: canvas, ink)
    }

    /// The side of the square at each corner whose pixels may be partly covered.
    private var cornerSide: Int {
        guard let thickness else { return radius }
        return min(max(radius, thickness), min(area.width, area.height) / 2)
    }

    private func drawEdges(on canvas: Canvas, _ ink: Ink) {
        let side = cornerSide
        let (left, right) = (area.left + side, area.right - side)
        let (top, bottom) = (area.top + side, area.bottom - side)
        guard let thickness else {
            canvas.fill(PixelArea(left: left, top: area.top, right: right, bottom: top), ink)
            canvas.fill(PixelArea(left: area.left, top: top, right: area.right, bottom: bottom), ink)
            canvas.fill(PixelArea(left: left, top: bottom, right: right, bottom: area.bottom), ink)
            return
        }
        canvas.fill(PixelArea(left: left, top: area.top, right: right, bottom: area.top + thickness), ink)
        canvas.fill(PixelArea(left: left, top: area.bottom - thickness, right: right, bottom: area.bottom), ink)
        canvas.fill(PixelArea(left: area.left, top: top, right: area.left + thickness, bottom: bottom), ink)
        canvas.fill(PixelArea(left: area.right - thickness, top: top, right: area.right, bottom: bottom), ink)
    }

    private func drawCorners(on canvas: Canvas, _ ink: Ink) {
        for row in 0..<cornerSide {
            for column in 0..<cornerSide {
                let coverage = self.coverage(column, row)
                guard coverage > 0 else { continue }
                for x in [area.left + column, area.right - 1 - column] {
                    for y in [area.top + row, area.bottom - 1 - row] where canvas.bounds.contains(x, y) {
                        canvas.blend(x, y, ink, coverage: coverage)
                    }
                }
            }
        }
    }

    /// The share of the pixel with ink, 0 to 255, counted from the corner.
    private func coverage(_ column: Int, _ row: Int) -> UInt8 {
        var share = Self.share(column, row, radius: radius)
        if let thickness {
            share -= Self.share(column - thickness, row - thickness, radius: max(radius - thickness, 0))
        }
        return UInt8((max(share, 0) * 255).rounded())
    }

    /// The share of a pixel that a filled quarter with a round corner at (0, 0) covers, computed from the distance to
    /// the arc.
    private static func share(_ column: Int, _ row: Int, radius: Int) -> Double {
        if column < 0 || row < 0 { return 0 }
        if column >= radius || row >= radius { return 1 }
        let (dx, dy) = (Double(radius - column) - 0.5, Double(radius - row) - 0.5)
        return min(max(Double(radius) - (dx * dx + dy * dy).squareRoot() + 0.5, 0), 1)
    }
}
