import Foundation
import HearthImaging

/// Makes raw pictures of random bytes whose planes end exactly with their last pixel.
enum RawPictures {
    static func plane(
        width: Int, rows: Int, bytesPerRow: Int, _ random: inout SeededGenerator
    ) -> PixelImage.Plane {
        let count = (rows - 1) * bytesPerRow + width
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        return PixelImage.Plane(Data(bytes), bytesPerRow: bytesPerRow)
    }

    /// - Parameter padding: Bytes between the end of a row and the next.
    static func picture(
        _ format: PixelFormat, width: Int, height: Int, padding: Int, _ random: inout SeededGenerator
    ) throws -> PixelImage {
        let planes = planeSizes(format, width: width, height: height).map { size in
            plane(width: size.bytes, rows: size.rows, bytesPerRow: size.bytes + padding, &random)
        }
        return try PixelImage(format: format, width: width, height: height, planes: planes)
    }

    /// Used bytes of a row, and rows, of each plane.
    static func planeSizes(_ format: PixelFormat, width: Int, height: Int) -> [(bytes: Int, rows: Int)] {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        return switch format {
        case .rgb: [(width * 3, height)]
        case .rgba, .bgra, .xrgb: [(width * 4, height)]
        case .gray: [(width, height)]
        case .nv12, .nv21: [(width, height), (halfWidth * 2, halfHeight)]
        case .i420: [(width, height), (halfWidth, halfHeight), (halfWidth, halfHeight)]
        }
    }
}
