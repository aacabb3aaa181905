import Foundation
package import HearthArguments
import HearthModelSource
import HearthVision

/// - Parameter Hosted: Where a model comes from that is named and not on this disk.
package struct LabelCommand<Hosted: HostedModels>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "label",
            abstract: "Say what is in pictures.",
            discussion: """
                MODEL is a .tflite file, an AutoML bundle (folder, manifest or zip), or the name of a model on the server. \
                With --json each picture gives one line: {"image": path, "labels": [{"text", "confidence", "index"}]}, or \
                {"image": path, "error": text}. The exit code is 1 when any picture failed.
                """)
    }

    @Argument(help: "The model.")
    var model: String

    @Argument(help: "JPEG or PNG files.")
    var images: [String]

    @Option(help: ArgumentHelp("File with one label per line.", valueName: "file"))
    var labels: String?

    @Option(help: ArgumentHelp("Leave out labels below this confidence, 0 to 1.", valueName: "value"))
    var threshold: Float?

    @Option(name: .customLong("max"), help: ArgumentHelp("The most labels for a picture.", valueName: "count"))
    var maxCount = 10

    @Flag(name: .customLong("allow-partial"), help: "Label what could be read of damaged pictures.")
    var allowsPartial = false

    @OptionGroup var device: DeviceOptions

    @Flag(help: "Print JSON.")
    var json = false

    package init() {}

    package func validate() throws {
        guard maxCount > 0 else { throw ValidationError("--max must be 1 or more.") }
        if let threshold, !(0...1).contains(threshold) {
            throw ValidationError("--threshold must be between 0 and 1.")
        }
    }

    package func run() throws {
        let labeler = try PictureLabeler(
            model: LocalModel(
                path: try ModelLookup(hosted: Hosted.self, config: device.config).path(model), labelsPath: labels),
            name: labels.map { "\(model) with \($0)" } ?? model,
            threshold: threshold, maxCount: maxCount, allowsPartial: allowsPartial)
        var failures = 0
        for image in images {
            let result = labeler.label(image)
            if result.error != nil { failures += 1 }
            if json {
                try Output.json(result)
            } else {
                print(result)
            }
        }
        if failures > 0 { throw ExitCode.failure }
    }

    private func print(_ result: PictureResult) {
        if let error = result.error { return Output.note("error: \(result.image): \(error)") }
        Output.line(result.image)
        let labels = result.labels ?? []
        if labels.isEmpty { Output.line("  no label") }
        for label in labels {
            let percent = String(format: "%5.1f %%", Double(label.confidence) * 100)
            Output.line("  \(percent)  \(label.text.isEmpty ? "#\(label.index)" : label.text)")
        }
    }
}
