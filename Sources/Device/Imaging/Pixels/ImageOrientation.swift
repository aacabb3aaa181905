/// The orientation of a stored image: the side of the upright image on which its first row and column belong. Raw
/// values are EXIF's.
public enum ImageOrientation: UInt8, Sendable, Hashable, CaseIterable {
    /// Stored upright.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Upside down: rotate by 180 degrees to see it upright.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Rows and columns exchanged.
    case leftMirrored = 5
    /// Rotate by 90 degrees clockwise to see it upright.
    case right = 6
    /// Rows and columns exchanged, both counted from the opposite end.
    case rightMirrored = 7
    /// Rotate by 90 degrees counterclockwise to see it upright.
    case left = 8

    /// Whether the upright image is as wide as the stored image is high.
    public var swapsSides: Bool { rawValue >= 5 }

    /// Whether moving right (or, with swapped sides, down) in the upright image means moving left in the stored one.
    var reversesColumns: Bool {
        switch self {
        case .upMirrored, .down, .rightMirrored, .left: true
        case .up, .downMirrored, .leftMirrored, .right: false
        }
    }

    /// Whether moving down (or, with swapped sides, right) in the upright image means moving up in the stored one.
    var reversesRows: Bool {
        switch self {
        case .down, .downMirrored, .right, .rightMirrored: true
        case .up, .upMirrored, .leftMirrored, .left: false
        }
    }

    /// The size of the upright image.
    public func uprightSize(storedWidth: Int, storedHeight: Int) -> (width: Int, height: Int) {
        swapsSides ? (storedHeight, storedWidth) : (storedWidth, storedHeight)
    }

    /// The position of the stored pixel that is at (`x`, `y`) of the upright image, all counted from 0 at the top left.
    public func storedPosition(
        uprightX x: Int, uprightY y: Int, storedWidth: Int, storedHeight: Int
    ) -> (x: Int, y: Int) {
        let (column, row) = swapsSides ? (y, x) : (x, y)
        return (reversesColumns ? storedWidth - 1 - column : column, reversesRows ? storedHeight - 1 - row : row)
    }
}
