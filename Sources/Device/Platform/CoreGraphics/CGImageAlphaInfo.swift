#if !canImport(CoreGraphics)

    /// Whether a pixel has a fourth byte, where it stands and what it means. Raw values are CoreGraphics'.
    ///
    /// The order is that of a 32-bit number, highest byte first: `noneSkipFirst` is X, R, G, B in memory, unless
    /// `CGBitmapInfo.byteOrder32Little` turns it round to B, G, R, X.
    public enum CGImageAlphaInfo: UInt32, Sendable {
        /// Three bytes a pixel.
        case none = 0
        case premultipliedLast = 1
        case premultipliedFirst = 2
        /// Not for contexts.
        case last = 3
        /// Not for contexts.
        case first = 4
        case noneSkipLast = 5
        case noneSkipFirst = 6
        /// Not for contexts.
        case alphaOnly = 7
    }

#endif
