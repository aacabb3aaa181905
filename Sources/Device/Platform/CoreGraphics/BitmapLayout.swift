#if !canImport(CoreGraphics)

    /// Where a pixel's components stand in memory, in bytes from its start.
    package enum BitmapLayout: Sendable {
        case rgb, xrgb, rgbx, bgrx

        /// The layouts that contexts draw in; nil for all others.
        init?(contextInfo: UInt32) {
            let info = CGBitmapInfo(rawValue: contextInfo)
            let known: CGBitmapInfo = [.alphaInfoMask, .byteOrderMask]
            guard info.isSubset(of: known) else { return nil }
            let isLittle: Bool
            switch info.intersection(.byteOrderMask) {
            case [], .byteOrder32Big: isLittle = false
            case .byteOrder32Little: isLittle = true
            default: return nil
            }
            switch (CGImageAlphaInfo(rawValue: info.intersection(.alphaInfoMask).rawValue), isLittle) {
            case (.noneSkipFirst, false), (.premultipliedFirst, false): self = .xrgb
            case (.noneSkipFirst, true), (.premultipliedFirst, true): self = .bgrx
            case (.noneSkipLast, false), (.premultipliedLast, false): self = .rgbx
            default: return nil
            }
        }

        var bytesPerPixel: Int { self == .rgb ? 3 : 4 }

        /// In bytes from the pixel's start; `filler` is the byte without a colour.
        var offsets: (red: Int, green: Int, blue: Int, filler: Int?) {
            switch self {
            case .rgb: (0, 1, 2, nil)
            case .xrgb: (1, 2, 3, 0)
            case .rgbx: (0, 1, 2, 3)
            case .bgrx: (2, 1, 0, 3)
            }
        }
    }

#endif
