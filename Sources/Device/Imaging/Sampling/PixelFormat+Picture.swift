import CSampling

extension PixelFormat {
    /// A picture of this format for the sampling loops, without its planes yet.
    var emptyPicture: hearth_picture {
        var picture = hearth_picture()
        (picture.arrangement, picture.pixel_bytes, picture.channels) =
            switch self {
            case .rgb: (hearth_interleaved, 3, (0, 1, 2))
            case .rgba: (hearth_interleaved, 4, (0, 1, 2))
            case .bgra: (hearth_interleaved, 4, (2, 1, 0))
            case .xrgb: (hearth_interleaved, 4, (1, 2, 3))
            case .gray: (hearth_interleaved, 1, (0, 0, 0))
            // The place of blue difference, then of red difference, in a pair.
            case .nv12: (hearth_semiplanar, 1, (0, 0, 1))
            case .nv21: (hearth_semiplanar, 1, (0, 1, 0))
            case .i420: (hearth_planar, 1, (0, 0, 0))
            }
        return picture
    }
}

extension hearth_picture {
    /// - Parameter bytes: Must outlive the picture.
    mutating func lend(plane: Int, _ bytes: UnsafeRawBufferPointer, bytesPerRow: Int) {
        let start = bytes.bindMemory(to: UInt8.self).baseAddress
        switch plane {
        case 0: (self.plane.0, byte_count.0, row_bytes.0) = (start, bytes.count, bytesPerRow)
        case 1: (self.plane.1, byte_count.1, row_bytes.1) = (start, bytes.count, bytesPerRow)
        default: (self.plane.2, byte_count.2, row_bytes.2) = (start, bytes.count, bytesPerRow)
        }
    }
}
