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
        options.processing = readingOptions.processing
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
        let outputs = try labeler.resultsByOutput(in: image, region: readingOptions.region)
        let main = outputs.first(where: \.isMain)
        return LabelingResult(outputs, form: main?.labels.first.map { ConfidenceForm(for: $0.scoreRange) } ?? .percent)
    }

    /// The label with the highest confidence; nil if there is none.
    package func best(of path: String) throws -> (text: String, confidence: Float)? {
        try answer(path).labels.first.map { ($0.text, $0.confidence) }
    }
}

/// The labels of one image, best first.
package struct LabelingResult: ImageAnalysis {
    /// One for each output with labels.
    let outputs: [OutputLabels]
    let form: ConfidenceForm

    init(_ outputs: [OutputLabels], form: ConfidenceForm = .percent) {
        self.outputs = outputs
        self.form = form
    }

    /// Those of the output that counts where only one can.
    var labels: [ImageLabel] { outputs.first(where: \.isMain)?.labels ?? [] }

    var lines: [String] {
        guard outputs.count > 1 else { return lines(labels) }
        return outputs.flatMap { ["  \($0.name)"] + lines($0.labels).map { "  \($0)" } }
    }

    /// Leaves out labels that would be shown as 0.0 %, except the best one.
    private func lines(_ labels: [ImageLabel]) -> [String] {
        if labels.isEmpty { return ["  no label"] }
        let form = outputs.count > 1 ? labels.first.map { ConfidenceForm(for: $0.scoreRange) } ?? form : form
        let shown = labels.enumerated().filter { $0.offset == 0 || !form.isZeroPercent($0.element.confidence) }
        return shown.map { _, label in
            "  \(form.text(label.confidence))  \(label.text.isEmpty ? "#\(label.index)" : label.text)"
        }
    }

    func write(to json: inout JSONLine) {
        Self.write(labels, to: &json)
        if outputs.count > 1 {
            json.member("outputs", outputs) { output, json in
                json.member("name", output.name)
                Self.write(output.labels, to: &json)
            }
        }
        form.write(to: &json)
    }

    private static func write(_ labels: [ImageLabel], to json: inout JSONLine) {
        json.member("labels", labels) { label, json in
            json.member("text", label.text)
            json.member("confidence", label.confidence)
            json.member("index", label.index)
        }
    }
}
