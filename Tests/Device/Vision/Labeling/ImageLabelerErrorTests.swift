import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

/// Nothing traps when a labeler is made; each call says what is wrong.
@Suite("What a labeler refuses, and how it says so")
struct ImageLabelerErrorTests {
    private static let detector = " If it finds objects, use a detector, such as `hearth detect`."
    private static let shapes =
        "not [1, height, width, channels] or [1, channels, height, width] with 1, 3 or 4 channels."

    @Test("a float model without normalization, in ML Kit's words")
    func noNormalization() {
        let text = Labeler.error(Labeler.fixture("float_bare"))?.localizedDescription ?? ""
        #expect(
            text.hasPrefix(
                "Failed to initialize detector. Input tensor has type kTfLiteFloat32: it requires specifying "
                    + "NormalizationOptions metadata to preprocess input images."))
        #expect(text.contains("--normalize"), "and what to do")
    }

    @Test(
        "models that are no image labelers",
        arguments: [
            (
                "two_images",
                "The model does not take images: its input 'image' has the shape [2, 1, 1, 3], \(Self.shapes)"
            ),
            (
                "flat_input",
                "The model does not take images: its input 'image' has the shape [1, 3], \(Self.shapes)"
            ),
            (
                "two_rows",
                "The model is not an image labeler: its output 'scores' has the shape [2, 6], not [1, N].\(Self.detector)"
            ),
            (
                "map_output",
                "The model is not an image labeler: its output 'scores' has the shape [1, 2, 2, 3], not [1, N].\(Self.detector)"
            ),
            ("../models/subtract", "The model is not an image labeler: it has 2 inputs and 1 outputs."),
        ])
    func notLabelers(model: String, text: String) throws {
        let labeler = Labeler.fixture(model)
        let error = try #require(Labeler.error(labeler))
        #expect(error.localizedDescription == text)
        #expect(error.code == 9)
        #expect(throws: error) { try labeler.checkModel() }
    }

    @Test("normalization that cannot be used", arguments: ["float_zero_std", "float_two_means"])
    func badNormalization(model: String) {
        #expect(Labeler.error(Labeler.fixture(model))?.localizedDescription.contains("deviation") == true)
    }

    @Test("no model at all: ML Kit's words")
    func nilModel() {
        #expect(Labeler.error(Labeler.make(nil))?.localizedDescription == "Local model must not be nil.")
        #expect(LocalModel(manifestPath: "/nowhere/manifest.json") == nil)
    }

    @Test("a relative path without a model, in ML Kit's words")
    func relativePath() {
        let error = Labeler.error(Labeler.make(LocalModel(path: "no-such-folder/model.tflite")))
        #expect(
            error?.localizedDescription
                == "Local model path (no-such-folder/model.tflite) is invalid. There is nothing at this relative path; "
                + "give an absolute one.")
        #expect(error?.code == 3)
    }

    @Test("no file, a folder without a model, a file that is no model")
    func noModel() throws {
        let folder = try TemporaryFolder()
        let missing = Labeler.error(Labeler.make(LocalModel(path: folder.path + "/model.tflite")))
        #expect(missing?.code == 5)
        #expect(missing?.localizedDescription.contains("model.tflite") == true)
        #expect(Labeler.error(Labeler.make(LocalModel(path: folder.path)))?.code == 9)
        for bytes in [[], [UInt8](repeating: 0, count: 100), Array("TFL3".utf8)] as [[UInt8]] {
            let path = try folder.write(bytes, to: "bad.tflite")
            #expect(Labeler.error(Labeler.make(LocalModel(path: path))) != nil)
        }
    }

    @Test("a model cut short anywhere is an error, never a crash")
    func truncated() throws {
        let folder = try TemporaryFolder()
        let whole = try Data(contentsOf: URL(fileURLWithPath: Labeler.path("uint8_threshold.tflite")))
        for count in stride(from: 0, to: whole.count - 1, by: 8) {
            let path = try folder.write(whole.prefix(count), to: "cut.tflite")
            _ = try? Labeler.make(LocalModel(path: path)).results(in: Labeler.pixel)
        }
    }

    @Test("more labels than scores, or fewer", arguments: [2, 4])
    func labelCount(count: Int) throws {
        let file = try LabelFile(String(repeating: "x\n", count: count))
        let labeler = Labeler.make(LocalModel(path: Labeler.path("uint8.tflite"), labelsPath: file.path))
        #expect(
            Labeler.error(labeler)?.localizedDescription
                == "The model returns 3 scores, but its label file has \(count) lines. "
                + "Use a label file with one line for each score, in the order of the scores.")
    }

    @Test("a bundle whose label file does not fit its model, in each form", arguments: [2, 4])
    func bundleLabelCount(count: Int) throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: Labeler.path("uint8.tflite"))), to: "model.tflite")
        _ = try folder.write(String(repeating: "x\n", count: count).utf8, to: "dict.txt")
        let manifest = try folder.write(
            #"{"modelType": "IMAGE_LABELING", "modelFile": "model.tflite", "labelsFile": "dict.txt",}"#.utf8,
            to: "manifest.json")
        let packed = try folder.write(ModelBundle(path: folder.path).packed(), to: "packed/model.tflite")
        let models = [
            LocalModel(manifestPath: manifest), LocalModel(path: folder.path), LocalModel(path: packed),
        ]
        for model in models {
            #expect(
                Labeler.error(Labeler.make(model))?.localizedDescription
                    == "The model returns 3 scores, but its label file has \(count) lines. "
                    + "Use a label file with one line for each score, in the order of the scores.")
        }
    }

    @Test("a label file that is named but absent")
    func labelsMissing() {
        let labeler = Labeler.make(LocalModel(path: Labeler.path("uint8.tflite"), labelsPath: "/nowhere/labels.txt"))
        #expect(Labeler.error(labeler)?.localizedDescription.contains("/nowhere/labels.txt") == true)
    }

    @Test("a bundle for object detection")
    func detectionBundle() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: Labeler.path("uint8.tflite"))), to: "model.tflite")
        let manifest = #"{"modelType":"OBJECT_DETECTION","modelFile":"model.tflite"}"#
        let path = try folder.write(manifest.utf8, to: "manifest.json")
        let expected = "The bundle is for OBJECT_DETECTION, not for image labeling."
        #expect(Labeler.error(Labeler.make(LocalModel(path: folder.path)))?.localizedDescription == expected)
        #expect(Labeler.error(Labeler.make(LocalModel(manifestPath: path)))?.localizedDescription == expected)
    }

    @Test(
        "a detection model of the shared data", .enabled(if: TestPaths.hasSharedData, "the shared data is absent"),
        arguments: ["ssd_coco/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29", "salad_automl/salad1_automl"])
    func detectionModel(name: String) {
        let path = TestPaths.shared.appendingPathComponent("models/\(name).tflite").path
        let text = Labeler.error(Labeler.make(LocalModel(path: path)))?.localizedDescription
        #expect(text?.hasPrefix("The model is not an image labeler: its output") == true)
    }

    @Test(
        "an image that is none is the image's fault, and the labeler works on",
        arguments: [
            [], Array("no image".utf8), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8, 0xFF],
        ] as [[UInt8]])
    func badImage(bytes: [UInt8]) throws {
        let labeler = Labeler.fixture("uint8")
        #expect(Labeler.error(labeler, VisionImage(data: Data(bytes)))?.code == 3)
        #expect(Labeler.error(labeler, VisionImage(contentsOfFile: "/nowhere/a.png"))?.code == 5)
        #expect(try labeler.results(in: Labeler.pixel).count == 3)
    }

    @Test("an image of a foreign type")
    func foreignImage() {
        final class Foreign: NSObject, MLKitCompatibleImage {}
        #expect(throws: (any Error).self) { try Labeler.fixture("uint8").results(in: Foreign()) }
    }
}
