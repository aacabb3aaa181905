import Foundation
import HearthImaging
import Testing

@Suite("Orientation")
struct OrientationTests {
    private static let all = ImageOrientation.allCases

    @Test("a tensor shows the upright image, at its own size and at another", arguments: all)
    func tensorIsUpright(orientation: ImageOrientation) throws {
        let image = try ImageFixtures.image("orientation_\(orientation.rawValue).jpg")
        let upright = try image.upright()
        let sameSize = try ImageTensorWriter(width: 16, height: 8, format: .uint8)
        #expect(try sameSize.bytes(image) == upright.bytes)

        let other = try ImageTensorWriter(width: 7, height: 13, format: .uint8)
        let first = try other.bytes(ImageFixtures.image("orientation_1.jpg"))
        let difference = zip(try other.bytes(image), first).map { abs(Int($0) - Int($1)) }.max() ?? 256
        #expect(difference <= 3)
    }

    @Test("the mapping of places agrees with the pixels", arguments: all)
    func mapping(orientation: ImageOrientation) throws {
        let image = try ImageFixtures.image("resize_source.png")
        let (stored, width, height) = (image.pixels.bytes, image.pixels.width, image.pixels.height)
        let upright = try image.upright(orientation: orientation)
        #expect((upright.width, upright.height) == orientation.uprightSize(storedWidth: width, storedHeight: height))
        var expected: [UInt8] = []
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let place = orientation.storedPosition(
                    uprightX: x, uprightY: y, storedWidth: width, storedHeight: height)
                let offset = (place.y * width + place.x) * 3
                expected += stored[offset..<(offset + 3)]
            }
        }
        #expect(upright.bytes == expected)
    }

    @Test("sampling through an orientation equals sampling the turned image", arguments: all)
    func samplingCommutes(orientation: ImageOrientation) throws {
        let image = try ImageFixtures.image("resize_source.png")
        let turned = try image.upright(orientation: orientation)
        let writer = try ImageTensorWriter(width: 11, height: 14, format: .uint8, resampling: .bilinear)
        let expected = bilinearReference(turned, width: 11, height: 14)
        let tensor = try writer.bytes(image, orientation: orientation)
        let difference = zip(tensor, expected).map { abs(Double($0) - $1) }.max() ?? 256
        #expect(difference <= 1)
    }

    @Test("a given orientation overrides the file's")
    func override() throws {
        let image = try ImageFixtures.image("orientation_6.png")
        let writer = try ImageTensorWriter(width: 8, height: 16, format: .uint8)
        #expect(try writer.bytes(image, orientation: .up) == image.pixels.bytes)
        #expect(try image.upright(orientation: .up).bytes == image.pixels.bytes)
    }

    /// Bilinear sampling in the plainest terms, without the fixed-point roundings.
    private func bilinearReference(_ image: PixelImage, width: Int, height: Int) -> [Double] {
        let bytes = image.bytes
        func place(_ target: Int, of count: Int, from source: Int) -> (Int, Int, Double) {
            let position = (Double(target) + 0.5) * Double(source) / Double(count) - 0.5
            let clamped = min(max(position, 0), Double(source - 1))
            return (Int(clamped), min(Int(clamped) + 1, source - 1), clamped - clamped.rounded(.down))
        }
        return (0..<(width * height * 3)).map { index in
            let (left, right, x) = place(index / 3 % width, of: width, from: image.width)
            let (top, bottom, y) = place(index / 3 / width, of: height, from: image.height)
            func value(_ column: Int, _ row: Int) -> Double {
                Double(bytes[(row * image.width + column) * 3 + index % 3])
            }
            let above = value(left, top) * (1 - x) + value(right, top) * x
            let below = value(left, bottom) * (1 - x) + value(right, bottom) * x
            return above * (1 - y) + below * y
        }
    }
}
