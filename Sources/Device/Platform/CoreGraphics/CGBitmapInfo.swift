#if !canImport(CoreGraphics)

    /// A `CGImageAlphaInfo` and a byte order in one number. Raw values are CoreGraphics'.
    public struct CGBitmapInfo: OptionSet, Sendable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The bits that hold the `CGImageAlphaInfo`.
        public static let alphaInfoMask = CGBitmapInfo(rawValue: 0x1F)
        /// Components are floating-point numbers. Not for contexts here.
        public static let floatComponents = CGBitmapInfo(rawValue: 1 << 8)
        /// The bits that hold the byte order; none of them set is the same as `byteOrder32Big` here.
        public static let byteOrderMask = CGBitmapInfo(rawValue: 0x7000)
        /// Not for contexts here.
        public static let byteOrder16Little = CGBitmapInfo(rawValue: 1 << 12)
        /// The last-named component stands first in memory.
        public static let byteOrder32Little = CGBitmapInfo(rawValue: 2 << 12)
        /// Not for contexts here.
        public static let byteOrder16Big = CGBitmapInfo(rawValue: 3 << 12)
        /// The first-named component stands first in memory.
        public static let byteOrder32Big = CGBitmapInfo(rawValue: 4 << 12)

        var alphaInfo: CGImageAlphaInfo {
            CGImageAlphaInfo(rawValue: intersection(.alphaInfoMask).rawValue) ?? .none
        }
    }

#endif
