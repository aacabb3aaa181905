import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("The package's own digits detectors")
struct DigitsDetectorTests {
    private struct Written {
        let file: String
        let digit: String
        let frame: CGRect

        init?(_ line: Substring) {
            let columns = line.split(separator: ",")
            let edges = columns.dropFirst(2).compactMap { Double($0) }
            guard columns.count == 6, edges.count == 4 else { return nil }
            file = String(columns[0])
            digit = String(columns[1])
            frame = CGRect(x: edges[0], y: edges[1], width: edges[2] - edges[0], height: edges[3] - edges[1])
        }

        func isRead(as box: DetectedBox) -> Bool {
            let shared = frame.intersection(box.frame)
            let area = shared.width * shared.height
            let union = frame.width * frame.height + box.frame.width * box.frame.height - area
            return digit == box.text && area >= 0.5 * union
        }
    }

    private static func pages() throws -> [String: [Written]] {
        let table = try String(contentsOfFile: Labeler.bundle("digits-detector/examples/boxes.csv"), encoding: .utf8)
        let lines = table.split(whereSeparator: \.isNewline).dropFirst()
        return Dictionary(grouping: lines.compactMap(Written.init), by: \.file)
    }

    /// How many of the digits on the example pages are read, and how many boxes are where no such digit is.
    private func score(_ detector: BoxDetector) throws -> (written: Int, read: Int, wrong: Int) {
        var (written, read, wrong) = (0, 0, 0)
        for (file, digits) in try Self.pages() {
            let page = VisionImage(contentsOfFile: Labeler.bundle("digits-detector/examples/\(file)"))
            let boxes = try detector.boxes(in: page)
            written += digits.count
            read += digits.filter { digit in boxes.contains(where: digit.isRead) }.count
            wrong += boxes.filter { box in !digits.contains { $0.isRead(as: box) } }.count
        }
        return (written, read, wrong)
    }

    @Test(
        "the example pages, from the bundle and from one packed file, with one output and with two, of floats and of bytes"
    )
    func pages() throws {
        let folder = try TemporaryFolder()
        let bundle = Labeler.bundle("digits-detector")
        let packed = try folder.write(ModelBundle(path: bundle).packed(), to: "packed.tflite")
        let others = [
            "digits-detector-anchors/model.tflite", "digits-yolo/model.tflite", "digits-yolo/model-int8.tflite",
        ]
        var options = BoxDetectorOptions()
        options.scoreThreshold = 0.5
        for path in [bundle, packed] + others.map(Labeler.bundle) {
            let score = try score(BoxDetector(model: LocalModel(path: path), options: options))
            #expect(score.written >= 30)
            #expect(score.read * 20 >= score.written * 17, "\(path): \(score)")
            #expect(score.wrong * 20 <= score.written * 3, "\(path): \(score)")
        }
    }

    @Test(
        "the statements about the YOLO and about the detector with anchors",
        arguments: [
            ("digits-yolo/model.tflite", ["RGB, 320 x 320", "YOLOv8 detector (yolov8), 10 classes"]),
            ("digits-yolo/model-int8.tflite", ["RGB, 320 x 320", "YOLOv8 detector (yolov8), 10 classes"]),
            (
                "digits-detector-anchors/model.tflite",
                ["RGB, 320 x 320", "SSD detector with anchors (anchors), 10 classes"]
            ),
        ])
    func statements(file: String, texts: [String]) throws {
        let description = try ModelPacker(path: Labeler.bundle(file)).packed().description
        let text = try #require(description.map { ([$0.images] + $0.answers).joined(separator: "\n") })
        for part in texts { #expect(text.contains(part), "\(text)") }
    }
}
