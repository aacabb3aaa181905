package import HearthArguments
import HearthModelFile
import HearthModelSource

/// - Parameter Hosted: the source of a model that is not on this disk.
package struct LabelCommand<Hosted: HostedModelSource>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: CommandSummary.label.name,
            renamed: ["--config": "--app-config", "--picture-memory": "--image-memory"],
            abstract: CommandSummary.label.abstract,
            discussion: """
                MODEL is a .tflite file, an AutoML bundle (folder, manifest or zip), or the name of a model on the server. \
                With --json each image gives one line, in the order of the images: {"image": path, "labels": [{"text", \
                "confidence", "index"}]}, or {"image": path, "error": text}. If some scores are below 0 or above 1, they are no \
                probabilities: they are shown as numbers, and the line has "probabilities": false. Text output leaves out \
                labels that it would show as 0.0 %, except the best one; JSON has them. The exit code is 1 if an image failed.
                """,
            examples: [
                "hearth label flowers.tflite rose.jpg",
                "hearth label flowers rose.jpg --labels flowers.txt --max 3",
                "hearth label model_unquant.tflite cat.jpg --normalize 127.5,127.5",
            ])
    }

    @Argument(help: "The model.")
    var model: String

    @OptionGroup var images: ImageOptions

    @Option(
        help: ArgumentHelp(
            """
            File with one label per line, or a TensorFlow label map (.pbtxt). Default: the model's own labels, else \
            a file beside the model.
            """,
            valueName: "file"))
    var labels: String?

    @OptionGroup var input: InputProcessingOptions
    @OptionGroup var output: LabelProcessingOptions

    @Option(help: ArgumentHelp("Show only labels with at least this confidence, 0 to 1.", valueName: "value"))
    var threshold: Float?

    @Option(name: .customLong("max"), help: ArgumentHelp("Maximum number of labels for an image.", valueName: "count"))
    var maxCount = 10

    @OptionGroup var device: DeviceOptions

    package init() {}

    package func validate() throws {
        guard maxCount > 0 else { throw ValidationError("--max must be 1 or more.") }
        if let threshold, !(0...1).contains(threshold) {
            throw ValidationError("--threshold must be between 0 and 1.")
        }
    }

    package func run() throws {
        let path = try ModelLookup(hosted: Hosted.self, config: device.config).path(model)
        let name = labels.map { "\(model) with \($0)" } ?? model
        let (labels, threshold, maxCount) = (labels, threshold, maxCount)
        var readingOptions = images.readingOptions
        readingOptions.processing = input.processing.completed(by: output.processing)
        try ImageBatch(label: "Labeling", asJSON: images.json) { [readingOptions] threads in
            try FileLabeler(
                model: LocalModel(path: path, labelsPath: labels), name: name, threshold: threshold, maxCount: maxCount,
                looking: readingOptions, threads: threads)
        }.run(images)
    }
}
