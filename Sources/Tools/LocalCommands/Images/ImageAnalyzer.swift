import HearthArguments
import HearthDrawing
import HearthVision
import HearthWire

/// Analyzes images with a model of its own.
protocol ImageAnalyzer: Sendable {
    associatedtype Answer: ImageAnalysis

    /// What the user should know about the model before its first answer.
    var notices: [String] { get }

    /// - Parameter path: an image file, which may not exist.
    /// - Throws: any error; its text is shown as the reason why this image failed.
    func answer(_ path: String) throws -> Answer
}

/// The result for one image.
protocol ImageAnalysis {
    /// Lines of text, below the image's name.
    var lines: [String] { get }

    /// How the confidences are shown.
    var form: ConfidenceForm { get }

    /// The members of the image's JSON object, after `image`.
    func write(to json: inout JSONLine)
}

extension ImageAnalyzer {
    /// The output for an image, whether it failed or not.
    func outcome(_ path: String, asJSON: Bool) -> ImageOutput {
        do {
            let answer = try answer(path)
            guard asJSON else {
                // Names of files and labels may contain control sequences for a terminal.
                let lines = ([path] + answer.lines).map(\.printable)
                return ImageOutput(
                    output: lines.joined(separator: "\n") + "\n", showsNumbers: answer.form == .number)
            }
            var json = JSONLine()
            json.object { json in
                json.member("image", path)
                answer.write(to: &json)
            }
            return ImageOutput(output: json.text)
        } catch {
            return .failure(path, ErrorText.describe(error), asJSON: asJSON)
        }
    }
}

extension ImageAnalyzer {
    var notices: [String] { [] }
}

/// Says why a model with label files beside it has no labels.
package enum LabelFileNotice {
    /// - Parameters:
    ///   - files: the label files, of which none was used because there are several; empty for no notice.
    ///   - advice: what to do.
    package static func lines(_ files: [String], advice: String = "keep only one of them there") -> [String] {
        guard !files.isEmpty else { return [] }
        let names = files.joined(separator: ", ").printable
        return ["note: there are several label files beside the model, so none was used; \(advice): \(names)"]
    }
}

extension ConfidenceForm {
    /// A range that no score extended is that of an answer without scores.
    init(for range: ScoreRange) { self.init(for: [range.lowest, range.highest]) }

    /// Only where it is not what programs expect.
    func write(to json: inout JSONLine) {
        if self == .number { json.member("probabilities", false) }
    }
}

extension ImageOutput {
    static func failure(_ path: String, _ reason: String, asJSON: Bool) -> ImageOutput {
        guard asJSON else {
            let text = Self.names(path, reason) ? reason : "\(path): \(reason)"
            return ImageOutput(output: "", note: "error: \(text)".printable, isFailure: true)
        }
        var json = JSONLine()
        json.object { json in
            json.member("image", path)
            json.member("error", reason)
        }
        return ImageOutput(output: json.text, isFailure: true)
    }

    /// Whether the reason names the image: at its beginning or its end, as the texts of failed reads do. A bare word there may
    /// have another meaning.
    private static func names(_ path: String, _ reason: String) -> Bool {
        guard path.contains(where: { $0 == "." || $0 == "/" }) else { return false }
        return reason.hasPrefix("\(path) ") || reason.hasSuffix(" at \(path)")
    }
}

/// The result for one image, ready for printing.
struct ImageOutput: Sendable, Equatable {
    /// For standard output; ends with a newline unless it is empty.
    var output: String
    /// For standard error.
    var note: String?
    var isFailure = false
    /// Whether the confidences are numbers, because they are no probabilities.
    var showsNumbers = false

    /// Explains such numbers, once for all images.
    static let numbersNotice =
        "note: some scores of this model are below 0 or above 1, so they are no probabilities; they are shown as plain "
        + "numbers, and --threshold compares these"
}
