import Foundation
import HearthImaging
import HearthTestSupport
import HearthVision
import Testing

/// Over a model whose scores are the means of red, green and blue of an image of any size.
@Suite("Models that leave the image's size open")
struct OpenSizeTests {
    private func labeler(_ name: String) -> ImageLabeler {
        Labeler.make(LocalModel(path: Labeler.path("../metadata/\(name).tflite")))
    }

    /// Red to the left of `edge`, green from there on.
    private func picture(width: Int, height: Int, edge: Int) throws -> VisionImage {
        let row = (0..<width).flatMap { $0 < edge ? [255, 0, 0] : [0, 255, 0] as [UInt8] }
        let bytes = Data((0..<height).flatMap { _ in row })
        return VisionImage(
            pixels: try PixelImage(
                format: .rgb, width: width, height: height, planes: [.init(bytes, bytesPerRow: width * 3)]))
    }

    @Test("each image is run at its own size", arguments: ["open_size", "open_size_suggested"])
    func ownSize(model: String) throws {
        let labeler = labeler(model)
        // One of many pixels would be lost in an image of another size.
        for (width, height, edge) in [(100, 3, 1), (4, 50, 3), (1, 1, 1), (100, 3, 99)] {
            let labels = try labeler.results(in: picture(width: width, height: height, edge: edge))
            let scores = Dictionary(uniqueKeysWithValues: labels.map { ($0.index, $0.confidence) })
            let red = Float(edge) / Float(width)
            #expect(abs(scores[0, default: -1] - red) <= 1.0 / 128)
            #expect(abs(scores[1, default: -1] - (1 - red)) <= 1.0 / 128)
        }
    }

    @Test("a region is run at the region's size")
    func region() throws {
        let image = try picture(width: 100, height: 10, edge: 50)
        let labels = try labeler("open_size").results(in: image, region: PixelRect(x: 40, y: 2, width: 20, height: 5))
        #expect(labels.prefix(2).allSatisfy { abs($0.confidence - 0.5) <= 1.0 / 128 })
        #expect(Set(labels.prefix(2).map(\.index)) == [0, 1])
    }

    @Test("an image too large for that is refused in words, and the labeler works on")
    func tooLarge() throws {
        let labeler = labeler("open_size")
        let large = try picture(width: 2_001, height: 2_000, edge: 1)
        #expect(
            Labeler.error(labeler, large)?.localizedDescription
                == "The model takes images at their own size, and 2001 x 2000 pixels are too many: give a smaller "
                + "image or a region, of at most 4000000 pixels.")
        #expect(try labeler.results(in: large, region: PixelRect(x: 0, y: 0, width: 2_001, height: 9)).count == 3)
    }
}
