import HearthArguments
import HearthWire

/// Analyzes images with a model of its own.
protocol ImageAnalyzer: Sendable {
    associatedtype Answer: ImageAnalysis

    /// - Parameter path: an image file, which may not exist.
    /// - Throws: any error; its text is shown as the reason why this image failed.
    func answer(_ path: String) throws -> Answer
}

/// The result for one image.
protocol ImageAnalysis {
    /// Lines of text, below the image's name.
    var lines: [String] { get }

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
                return ImageOutput(output: lines.joined(separator: "\n") + "\n")
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
}
