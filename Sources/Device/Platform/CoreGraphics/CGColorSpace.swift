#if !canImport(CoreGraphics)

    /// Stand-in for CoreGraphics' colour spaces. There is one, red, green and blue as the device shows them; colours are
    /// never converted. Missing: every other space, and what it knows of itself.
    public final class CGColorSpace: Sendable {
        static let deviceRGB = CGColorSpace()

        private init() {}
    }

    /// The one colour space.
    public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace {
        .deviceRGB
    }

#endif
