import Foundation
import HearthImaging
import HearthVision
import Testing

@Suite("Labels of a part of a picture")
struct RegionTests {
    /// Left half red, right half blue, 8 x 4.
    private func picture() throws -> VisionImage {
        let row = Data((0..<8).flatMap { $0 < 4 ? [255, 0, 0] : [0, 0, 255] as [UInt8] })
        return VisionImage(
            pixels: try PixelImage(
                format: .rgb, width: 8, height: 4,
                planes: [.init((0..<4).reduce(into: Data()) { bytes, _ in bytes += row }, bytesPerRow: 24)]))
    }

    @Test("only the region is looked at", arguments: [(0, 0), (4, 2)])
    func region(x: Int, index: Int) async throws {
        let labeler = Labeler.fixture("uint8")
        let region = PixelRect(x: x, y: 1, width: 4, height: 2)
        #expect(try labeler.results(in: picture(), region: region).first?.index == index)
        #expect(try await labeler.process(picture(), region: region).first?.index == index)
    }

    @Test(
        "a region outside of the picture, or an empty one",
        arguments: [(7, 0, 2, 1), (0, 0, 0, 1), (-1, 0, 2, 2), (.max, 0, .max, 1), (0, 4, 1, 1)])
    func outside(x: Int, y: Int, width: Int, height: Int) throws {
        let labeler = Labeler.fixture("uint8")
        let error = #expect(throws: NSError.self) {
            try labeler.results(in: picture(), region: PixelRect(x: x, y: y, width: width, height: height))
        }
        #expect(error?.code == 3)
        #expect(error?.domain == "com.google.mlkit")
    }
}
