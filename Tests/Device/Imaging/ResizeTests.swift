import Foundation
import HearthImaging
import Testing

@Suite("Plain resizing equals OpenCV's INTER_LINEAR to the byte")
struct ResizeTests {
    @Test(
        "smaller, larger, stretched, half, one pixel",
        arguments: [(10, 9), (40, 31), (18, 46), (37, 5), (74, 46), (1, 1), (3, 23)])
    func fixtures(width: Int, height: Int) throws {
        let source = try ImageFixtures.image("resize_source.png")
        let expected = try ImageFixtures.image("resize_\(width)x\(height).png").pixels.bytes
        let writer = try ImageTensorWriter(width: width, height: height, format: .uint8, resampling: .bilinear)
        #expect(try writer.bytes(source) == expected)
    }

    @Test("the picture's own size keeps its bytes")
    func sameSize() throws {
        let image = try ImageFixtures.image("resize_source.png")
        let writer = try ImageTensorWriter(width: image.pixels.width, height: image.pixels.height, format: .uint8)
        #expect(try writer.bytes(image) == image.pixels.bytes)
    }

    @Test("one pixel becomes a plain area of any size")
    func onePixel() throws {
        let image = try ImageFixtures.image("resize_1x1.png")
        let writer = try ImageTensorWriter(width: 5, height: 300, format: .uint8)
        let tensor = try writer.bytes(image)
        let pixel = image.pixels.bytes
        #expect(
            stride(from: 0, to: tensor.count, by: 3).allSatisfy { place in
                zip(tensor[place..<(place + 3)], pixel).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
            })
    }
}
