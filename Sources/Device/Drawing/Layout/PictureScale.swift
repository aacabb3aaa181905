/// How thick lines and how large letters are on a picture of some size, in pixels.
struct PictureScale {
    let lineWidth: Int

    /// Nil: the picture has no room for letters.
    let textSize: Int?

    /// Below this, letters are smears.
    static let minTextSize = 9

    init(width: Int, height: Int, factor: Double) {
        let factor = factor.isFinite ? min(max(factor, 0.25), 8) : 1
        let side = (Double(width) * Double(height)).squareRoot()
        lineWidth = max(1, Int((factor * (0.5 + side * 0.0026)).rounded()))
        // Small pictures are looked at enlarged and large ones reduced, but less than their sizes tell.
        let wanted = Int((factor * (5 + side * 0.016)).rounded())
        // In long narrow pictures the short side decides.
        let room = min(width, height) / 2
        let size = min(max(wanted, Self.minTextSize), 512, max(room, Self.minTextSize))
        textSize = TextMetrics.rowHeight(textSize: size) <= height ? size : nil
    }
}
