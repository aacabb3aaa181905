import Foundation
import HearthImaging
import HearthModelFile
import HearthTestSupport
import HearthVision
import Testing

/// Whatever a model's descriptions say, a run gives answers inside the image or an error. Only descriptions are damaged:
/// the metadata, and the files of the zip. The seed is fixed, so a failure comes back.
///
/// `HEARTH_DESCRIPTION_MUTATIONS` is the number of damaged files, for a long run by hand.
@Suite("Damaged descriptions of models")
struct DescriptionMutationTests {
    private static let count =
        ProcessInfo.processInfo.environment["HEARTH_DESCRIPTION_MUTATIONS"].flatMap { Int($0) } ?? 400

    /// Texts that are put into the zip of a model, and then damaged.
    private static let texts: [(name: String, text: String)] = [
        ("metadata.json", #"{"task": "detect", "imgsz": [64, 64], "names": {"0": "cup", "1": "dog", "2": "cat"}}"#),
        ("temp_meta.txt", "{'task': 'classify', 'names': {0: 'cup', 1: 'dog', 2: 'cat'}, 'args': {'nms': False}}"),
        ("labels.txt", "0 cup\n1 dog\n2 cat\n"), ("dict.txt", "background\ncup\ndog\ncat\n"),
        (
            "image_processing.json",
            #"{"channels": "rgb", "mean": [0], "standardDeviation": [255], "resize": "letterbox", "layout": "yolov8"}"#
        ),
        (
            "image_processing.json",
            #"{"layout": "ssd", "scoreThreshold": 0.1, "overlapThreshold": 0.5, "activation": "sigmoid"}"#
        ),
        (
            "tflite_metadata.json",
            #"{"outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences"]}"#
        ),
    ]

    private static func models() throws -> [[UInt8]] {
        let folders = ["families", "metadata", "labelers", "detection"]
        let files = try folders.flatMap { folder in
            let url = TestPaths.fixtures.appendingPathComponent(folder)
            return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "tflite" }
        }
        return try files.sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
    }

    /// The model with damaged metadata, or with a damaged text in its zip.
    private static func damaged(_ model: [UInt8], _ random: inout SeededGenerator) throws -> [UInt8] {
        var bytes = model
        let file = try ModelFile(ModelBytes(copying: model))
        let block = file.graph.metadata.first { $0.name == "TFLITE_METADATA" }?.data
        if let block, !block.isEmpty, Bool.random(using: &random) {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: block, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { return bytes }
        }
        let (name, text) = texts[Int.random(in: 0..<texts.count, using: &random)]
        var writer = ZipWriter()
        if let archive = try? ZipArchive(in: file.bytes) { try? writer.add(contentsOf: archive) }
        try writer.add(name, Self.altered(Array(text.utf8), &random), replacing: true)
        return try writer.appended(to: bytes)
    }

    private static func altered(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var text = text
        for _ in 0..<Int.random(in: 0...4, using: &random) where !text.isEmpty {
            let place = Int.random(in: text.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text[place] = UInt8.random(in: 0...255, using: &random)
            case 1: text.remove(at: place)
            case 2: text.insert(contentsOf: text[place...].prefix(20), at: place)
            default: text[place] = "0123456789-.e[]{}\",:".utf8.randomElement(using: &random) ?? 0
            }
        }
        return text
    }

    @Test("each run gives scores within their range and boxes inside the image, or an error of one line")
    func mutations() throws {
        var random = SeededGenerator(seed: 45)
        let models = try Self.models()
        let image = try Data(contentsOf: URL(fileURLWithPath: Detector.path("wide.png")))
        var runs = 0
        for round in 0..<Self.count {
            let bytes = try Self.damaged(models[round % models.count], &random)
            do {
                let model = try InMemoryImageModel(bytes: ModelBytes(copying: bytes), answerCount: 50, threshold: 0)
                let result = try model.result(for: image, options: ImageDecodeOptions())
                runs += 1
                let bounds = CGRect(x: 0, y: 0, width: Double(result.width), height: Double(result.height))
                let isProbability = model.description.isGuess || model.description.processing.activation != nil
                for answer in result.answers {
                    #expect(answer.confidence.isFinite, "round \(round)")
                    // Room for quantization.
                    if isProbability { #expect((-0.02...1.02).contains(answer.confidence), "round \(round)") }
                    guard let frame = answer.frame else { continue }
                    #expect(bounds.contains(frame), "round \(round)")
                    #expect(answer.confidence > 0, "round \(round)")
                }
            } catch {
                let text = (error as? ModelFileError)?.message ?? (error as NSError).localizedDescription
                #expect(!text.isEmpty && !text.contains("\n") && text.utf8.count < 2500, "round \(round): \(text)")
            }
        }
        #expect(runs > Self.count / 10, "some files are still models")
    }
}
