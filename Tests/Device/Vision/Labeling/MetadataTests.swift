import Foundation
import HearthVision
import Testing

/// Over the models of `Tests/Fixtures/make_metadata_models.py`: the image's one pixel gives red 0.25, green and blue
/// 0.75.
@Suite("What a model's metadata says of labels and scores")
struct MetadataTests {
    private func labeler(
        _ name: String, _ change: (CustomImageLabelerOptions) -> Void = { _ in }
    ) -> ImageLabeler {
        let options = CustomImageLabelerOptions(
            localModel: LocalModel(path: Labeler.path("../metadata/\(name).tflite")))
        change(options)
        return ImageLabeler.imageLabeler(options: options)
    }

    private func texts(_ labeler: ImageLabeler) throws -> [String] {
        try labeler.results(in: Labeler.pixel).map(\.text)
    }

    @Test(
        "scores are calibrated before they are ranked; green has no parameters and gets the default",
        arguments: [
            ("calibrated", ["red", "blue", "green"], [0.5, 0.425977, 0.125]),
            ("calibrated_log", ["blue", "green", "red"], [0.209684, 0.125, 0.001435]),
            ("calibrated_inverse_logistic", ["blue", "green", "red"], [0.460181, 0.125, 0.004521]),
            ("calibrated_threshold", ["red"], [0.5]),
        ] as [(String, [String], [Float])])
    func calibration(model: String, texts: [String], scores: [Float]) throws {
        let labels = try labeler(model).results(in: Labeler.pixel)
        #expect(labels.map(\.text) == texts)
        for (label, score) in zip(labels, scores) { #expect(abs(label.confidence - score) < 2e-6) }
    }

    @Test(
        "calibration that cannot be done is an error",
        arguments: [
            ("calibration_without_labels", "the model's metadata asks for score calibration, which needs a label file"),
            ("calibration_not_named", "the model's metadata asks for score calibration, but names no file for it"),
            (
                "calibration_not_there",
                "the model's metadata names the calibration file 'calibration.txt', but the model file does not contain it"
            ),
            (
                "calibration_long",
                "the score calibration file has 4 lines for 3 labels; a line break at the end of the file begins another line"
            ),
            ("calibration_unknown", "the score calibration has the unknown transformation 9"),
        ])
    func badCalibration(model: String, text: String) {
        let error = Labeler.error(labeler(model))
        #expect(error?.localizedDescription == text)
        #expect(error?.code == 9)
    }

    @Test(
        "texts are in the wanted language, and from the first file when there is none in it",
        arguments: [
            ("en", ["green", "blue"]), ("de", ["grün", "blau"]), ("fr", ["/m/g", "/m/b"]), ("", ["/m/g", "/m/b"]),
        ])
    func languages(locale: String, expected: [String]) throws {
        #expect(try texts(labeler("languages") { $0.labelsLocale = locale }) == expected)
    }

    @Test("English is the language unless another is asked for; the metadata's threshold holds")
    func defaultLanguage() throws {
        #expect(try texts(labeler("languages")) == ["green", "blue"])
    }

    @Test("label files that do not belong together, are not there, or are too short")
    func badLabelFiles() {
        #expect(
            Labeler.error(labeler("languages_uneven"))?.localizedDescription
                == "the label files do not belong together: one has 3 labels, the other 2")
        #expect(
            Labeler.error(labeler("languages_not_there"))?.localizedDescription
                == "the model's metadata names the label file 'names.txt', but the model file does not contain it")
        #expect(
            Labeler.error(labeler("labels_too_few"))?.localizedDescription
                == "The model returns 3 scores, but its label file has 2 lines. "
                + "Use a label file with one line for each score, in the order of the scores.")
    }

    @Test("a model with two heads is labelled by its first")
    func heads() throws {
        #expect(try texts(labeler("two_heads")) == ["green", "blue", "red"])
    }

    @Test("where only another head has labels, its scores count, with its calibration and threshold")
    func labeledHead() throws {
        let labels = try labeler("embedding_first").results(in: Labeler.pixel)
        #expect(labels.map { "\($0.index) \($0.text)" } == ["0 red", "2 blue"])
        #expect(labels.allSatisfy { (0.4...0.5).contains($0.confidence) }, "the calibrated scores")
        let file = try LabelFile("rot\ngrün\nblau\n")
        let model = LocalModel(path: Labeler.path("../metadata/embedding_first.tflite"), labelsPath: file.path)
        #expect(try Labeler.make(model).results(in: Labeler.pixel).map(\.text) == ["rot", "blau"])
    }

    @Test("the names of another head's values are not those of the scores, unless there are no others")
    func classesOfAnotherHead() throws {
        #expect(try texts(labeler("classes_first")) == ["green", "blue", "red"])
    }

    @Test("only the allowed labels, or all but the denied ones, by class name or text")
    func filter() throws {
        func texts(allowed: [String] = [], denied: [String] = []) throws -> [String] {
            try self.texts(
                labeler("languages") {
                    $0.confidenceThreshold = 0
                    $0.allowedLabels = allowed
                    $0.deniedLabels = denied
                })
        }
        #expect(try texts() == ["green", "blue", "red"])
        #expect(try texts(allowed: ["red", "/m/b", "no such label"]) == ["blue", "red"])
        #expect(try texts(denied: ["red", "/m/b", "no such label"]) == ["green"])
        #expect(try texts(denied: ["no such label"]) == ["green", "blue", "red"])
    }

    @Test("a filter that cannot be meant")
    func badFilter() {
        func text(_ model: String, allowed: [String] = [], denied: [String] = []) -> String? {
            Labeler.error(
                labeler(model) {
                    $0.allowedLabels = allowed
                    $0.deniedLabels = denied
                })?.localizedDescription
        }
        #expect(
            text("languages", allowed: ["red"], denied: ["red"]) == "Give allowedLabels or deniedLabels, not both.")
        let noneLeft = "allowedLabels and deniedLabels leave no label of the model; check their spelling."
        #expect(text("languages", allowed: ["Red"]) == noneLeft)
        #expect(text("languages", denied: ["red", "green", "blue"]) == noneLeft)
        #expect(
            text("../labelers/uint8", denied: ["red"])
                == "The model has no label file, so allowedLabels and deniedLabels cannot be used.")
    }
}
