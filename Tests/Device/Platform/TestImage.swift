import Foundation
import HearthPlatform

/// Images for tests.
enum TestImage {
    /// Every pixel another colour: column, row and their sum.
    static func numbered(_ width: Int, _ height: Int) -> CGImage {
        let bytes = (0..<height).flatMap { row in
            (0..<width).flatMap { column in [column, row, column + row].map { UInt8(truncatingIfNeeded: $0 * 10) } }
        }
        return CGImage(rgb: Data(bytes), width: width, height: height)!
    }

    static func gray(_ values: [UInt8], width: Int) -> CGImage {
        CGImage(rgb: Data(values.flatMap { [$0, $0, $0] }), width: width, height: values.count / width)!
    }
}

extension CGContext {
    /// XRGB over memory of its own.
    static func xrgb(_ width: Int, _ height: Int) -> CGContext {
        CGContext(
            data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue)!
    }

    var bytes: [UInt8] {
        let count = height * bytesPerRow
        return data.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }

    /// The red of each pixel of an XRGB context, row by row; nil for what was never drawn on.
    var reds: [UInt8?] {
        let bytes = bytes
        return stride(from: 0, to: bytes.count, by: 4).map { bytes[$0] == 255 ? bytes[$0 + 1] : nil }
    }
}
