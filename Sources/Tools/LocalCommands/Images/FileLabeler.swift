import Foundation
import HearthDrawing
import HearthImaging
package import HearthModelSource
import HearthVision
import HearthWire

/// Labels image files with one model.
package struct FileLabeler: ImageAnalyzer, Sendable {
    let notices: [String]
    private let labeler: ImageLabeler
    private let readingOptions: ImageReadingOptions

    /// Finds the best label of each image, with one thread.
    package init(model: LocalModel, name: String) throws {
        try self.init(model: model, name: name, maxCount: 1, looking: ImageReadingOptions(), threads: 1)
    }

    /// - Parameters:
    ///   - name: the model's name in error texts: the user may not know its path.
    ///   - threshold: labels with a lower confidence are left out; nil for the model's own threshold.
    /// - Throws: if the model cannot be used.
    init(
        model: LocalModel, name: String, threshold: Float? = nil, maxCount: Int,
        looking readingOptions: ImageReadingOptions, threads: Int
    ) throws {
        let options = CustomImageLabelerOptions(localModel: model)
        options.confidenceThreshold = threshold.map { NSNumber(value: $0) }
        options.keepsNegativeScores = true
        options.maxResultCount = maxCount
        options.threadCount = threads
        options.resampling = readingOptions.resampling
        labeler = ImageLabeler.imageLabeler(options: options)
        self.readingOptions = readingOptions.shared()
        do {
            notices = LabelFileNotice.lines(try labeler.ambiguousLabelFiles(), advice: "name one with --labels")
        } catch {
            throw CommandFailure.model(model.path, name, error)
        }
    }

    package func answer(_ path: String) throws -> LabelingResult {
        defer { readingOptions.giveBack() }
        let image = VisionImage(contentsOfFile: path, options: readingOptions.decoding)
        let labels =
            try readingOptions.region.map { try labeler.results(in: image, region: $0) } ?? labeler.results(in: image)
        return LabelingResult(labels, form: labels.first.map { ConfidenceForm(for: $0.scoreRange) } ?? .percent)
    }

    /// The label with the highest confidence; nil if there is none.
    package func best(of path: String) throws -> (text: String, confidence: Float)? {
        try answer(path).labels.first.map { ($0.text, $0.confidence) }
    }
}

/// The labels of one image, best first.
package struct LabelingResult: ImageAnalysis {
    let labels: [ImageLabel]
    let form: ConfidenceForm

    init(_ labels: [ImageLabel], form: ConfidenceForm = .percent) {
        self.labels = labels
        self.form = form
    }

    /// Leaves out labels that would be shown as 0.0 %, except the best one.
    var lines: [String] {
        if labels.isEmpty { return ["  no label"] }
        let shown = labels.enumerated().filter { $0.offset == 0 || !form.isZeroPercent($0.element.confidence) }
        return shown.map { _, label in
            "  \(form.text(label.confidence))  \(label.text.isEmpty ? "#\(label.index)" : label.text)"
        }
    }

    func write(to json: inout JSONLine) {
        json.member("labels", labels) { label, json in
            json.member("text", label.text)
            json.member("confidence", label.confidence)
            json.member("index", label.index)
        }
        form.write(to: &json)
    }
}
