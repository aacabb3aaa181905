/// Where the pixels of the upright picture lie in the stored one: upright pixel (x, y) begins at byte
/// `origin + x * columnStride + y * rowStride`. All eight orientations are a choice of these three numbers.
struct UprightLayout {
    /// Size of the upright picture, in pixels.
    let width: Int
    let height: Int

    let origin: Int

    /// Bytes from a pixel to its right neighbour in the upright picture; negative when stored mirrored.
    let columnStride: Int

    /// Bytes from a pixel to the one below it in the upright picture.
    let rowStride: Int

    init(pixels: PixelImage, orientation: ImageOrientation) {
        let storedColumn = orientation.reversesColumns ? -3 : 3
        let storedRow = orientation.reversesRows ? -3 * pixels.width : 3 * pixels.width
        let corner = orientation.storedPosition(
            uprightX: 0, uprightY: 0, storedWidth: pixels.width, storedHeight: pixels.height)
        (width, height) = orientation.uprightSize(storedWidth: pixels.width, storedHeight: pixels.height)
        origin = (corner.y * pixels.width + corner.x) * 3
        (columnStride, rowStride) = orientation.swapsSides ? (storedRow, storedColumn) : (storedColumn, storedRow)
    }
}
