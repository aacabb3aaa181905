import Foundation
import HearthImaging
import HearthTestSupport
import Testing

@testable import HearthVision

/// An image of 3 x 2 pixels, each of another colour, and files of it.
enum TestImage {
    static let (width, height) = (3, 2)

    static let colors: [[UInt8]] = [
        [10, 20, 30], [40, 50, 60], [70, 80, 90], [100, 110, 120], [130, 140, 150], [160, 170, 180],
    ]

    static var image: CGImage { CGImage(rgb: Data(colors.joined()), width: width, height: height)! }

    /// The same image in all eight orientations of `Tests/Fixtures/images`, seen upright.
    static func path(orientation: ImageOrientation) -> String {
        TestPaths.fixtures.appendingPathComponent("images/orientation_\(orientation.rawValue).jpg").path
    }

    /// What is seen upright at each place of a stored image of `width` x `height`: indexes of stored pixels.
    static func uprightIndexes(_ orientation: ImageOrientation, width: Int, height: Int) -> [Int] {
        let size = orientation.uprightSize(storedWidth: width, storedHeight: height)
        return (0..<size.height).flatMap { y in
            (0..<size.width).map { x in
                let stored = orientation.storedPosition(
                    uprightX: x, uprightY: y, storedWidth: width, storedHeight: height)
                return stored.y * width + stored.x
            }
        }
    }
}

extension ImageSource {
    /// Red, green and blue of the upright image's pixels.
    func uprightColors() throws -> [[UInt8]] {
        let picture = try decodedImage(covering: nil)
        let size = picture.uprightSize
        let writer = try ImageTensorWriter(width: size.width, height: size.height, format: .uint8)
        var bytes = [UInt8](repeating: 0, count: writer.byteCount)
        _ = try bytes.withUnsafeMutableBytes { try writer.write(picture, into: $0) }
        return stride(from: 0, to: bytes.count, by: 3).map { Array(bytes[$0..<$0 + 3]) }
    }
}
