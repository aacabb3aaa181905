import HearthArguments
import HearthWire

/// Says something about images, with a model of its own.
protocol ImageAnalyzer: Sendable {
    associatedtype Answer: ImageAnalysis

    /// - Parameter path: An image file; nothing is known of it yet.
    /// - Throws: anything; its text is shown as the reason why this image failed.
    func answer(_ path: String) throws -> Answer
}

/// What is said about one image.
protocol ImageAnalysis {
    /// Lines for people, below the image's name.
    var lines: [String] { get }

    /// The members of the image's JSON object, after `image`.
    func write(to json: inout JSONLine)
}

extension ImageAnalyzer {
    /// What to print about an image, whatever it is.
    func outcome(_ path: String, asJSON: Bool) -> ImageOutput {
        do {
            let answer = try answer(path)
            guard asJSON else {
                // Names of files and labels can be anything, also what a terminal would obey.
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

    /// Whether the reason says which image it is about: at its beginning or its end, as the texts of failed reads do. A
    /// bare word may stand there by itself.
    private static func names(_ path: String, _ reason: String) -> Bool {
        guard path.contains(where: { $0 == "." || $0 == "/" }) else { return false }
        return reason.hasPrefix("\(path) ") || reason.hasSuffix(" at \(path)")
    }
}

/// What came of one image, ready to be printed.
struct ImageOutput: Sendable, Equatable {
    /// For standard output; ends with a newline unless it is empty.
    var output: String
    /// For standard error.
    var note: String?
    var isFailure = false
}
