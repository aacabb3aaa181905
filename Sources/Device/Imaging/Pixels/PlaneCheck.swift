/// Checks the planes of a raw image against its format and size.
struct PlaneCheck {
    /// Sides up to this fit into the sampling loops' 32-bit positions, and no sum of row sizes overflows.
    private static let maxSide = 1 << 28

    let format: PixelFormat
    let width: Int
    let height: Int

    /// - Throws: `ImageError` with code `.invalidPixels`.
    func check(_ planes: [PixelImage.Plane]) throws(ImageError) {
        guard (1...Self.maxSide).contains(width), (1...Self.maxSide).contains(height) else {
            throw ImageError(
                .invalidPixels,
                "an image of \(width) x \(height) pixels is not possible; both sides must be 1 to \(Self.maxSide)")
        }
        guard planes.count == format.planeCount else {
            throw ImageError(
                .invalidPixels, "\(format) images have \(format.planeCount) planes; \(planes.count) were given")
        }
        for (index, plane) in planes.enumerated() {
            try check(plane, index: index)
        }
    }

    private func check(_ plane: PixelImage.Plane, index: Int) throws(ImageError) {
        let used = format.usedBytesPerRow(ofPlane: index, width: width)
        guard plane.bytesPerRow >= used else {
            throw ImageError(
                .invalidPixels,
                "plane \(index) has \(plane.bytesPerRow) bytes a row; \(format) of width \(width) needs \(used)")
        }
        let rows = format.rows(ofPlane: index, height: height)
        let (skipped, isTooMuch) = plane.bytesPerRow.multipliedReportingOverflow(by: rows - 1)
        guard !isTooMuch, skipped <= plane.bytes.count - used else {
            throw ImageError(
                .invalidPixels,
                "plane \(index) has \(plane.bytes.count) bytes; \(rows) rows of \(plane.bytesPerRow) need more")
        }
    }
}
