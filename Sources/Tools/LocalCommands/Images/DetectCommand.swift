package import HearthArguments
import HearthModelFile
import HearthModelSource

/// - Parameter Hosted: the source of a model that is not on this disk.
package struct DetectCommand<Hosted: HostedModelSource>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: CommandSummary.detect.name,
            renamed: ["--config": "--app-config", "--picture-memory": "--image-memory"],
            abstract: CommandSummary.detect.abstract,
            discussion: """
                MODEL is an object detection model: a .tflite file, an AutoML bundle (folder, manifest or zip), or the name \
                of a model on the server. With --json each image gives one line, in the order of the images: {"image": \
                path, "width", "height", "objects": [{"text", "index", "confidence", "box": {"left", "top", "right", \
                "bottom"}}]}, or {"image": path, "error": text}. If some \
                scores are below 0 or above 1, the line has "probabilities": false. \
                Sizes and places are in pixels of the upright image. The index is the \
                model's own number of the class, even if the label file has one more line at its beginning. The exit \
                code is 1 if an image failed.
                """,
            examples: [
                "hearth detect salad.tflite lunch.jpg --draw found.png",
                "hearth detect salad.tflite photos --draw drawn --threshold 0.4",
                "hearth detect best_float32.tflite street.jpg --layout yolov8 --normalize 0..1",
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
    @OptionGroup var output: BoxProcessingOptions

    @Option(
        help: ArgumentHelp(
            "Show only objects above this confidence, 0 to 1. Default: the model's own threshold, else 0.5.",
            valueName: "value"))
    var threshold: Float?

    @Option(
        name: .customLong("max"),
        help: ArgumentHelp("Maximum number of objects for an image. Default: all.", valueName: "count"))
    var maxCount: Int?

    @Option(
        help: ArgumentHelp(
            """
            Draw the objects on copies of the images: one image into this file, several into this folder. Existing \
            files stay, unless --overwrite is given.
            """,
            valueName: "path"))
    var draw: String?

    @Flag(help: "Let drawings replace existing files.")
    var overwrite = false

    @OptionGroup var device: DeviceOptions

    package init() {}

    package func validate() throws {
        if let maxCount, maxCount < 1 { throw ValidationError("--max must be 1 or more.") }
        guard (0...1).contains(threshold ?? 0) else { throw ValidationError("--threshold must be between 0 and 1.") }
    }

    package func run() throws {
        let path = try ModelLookup(hosted: Hosted.self, config: device.config).path(model)
        let name = labels.map { "\(model) with \($0)" } ?? model
        let (labels, threshold, maxCount) = (labels, threshold, maxCount)
        var readingOptions = images.readingOptions
        readingOptions.processing = input.processing.completed(by: output.processing)
        let makeDetector = { @Sendable [readingOptions] (threads: Int) throws in
            try FileDetector(
                model: LocalModel(path: path, labelsPath: labels), name: name, threshold: threshold,
                maxCount: maxCount ?? 0,
                looking: readingOptions, threads: threads)
        }
        guard let draw else {
            return try ImageBatch(label: "Detecting", asJSON: images.json, makeReader: makeDetector).run(images)
        }
        let target = try DrawingTarget(
            draw, isFile: images.isOneImage, overwrites: overwrite, named: images.knownPaths)
        let drawer = DetectionDrawer(target: target, readingOptions: readingOptions)
        try ImageBatch(label: "Detecting", asJSON: images.json, ignoredFolder: target.folder) { threads in
            DrawingDetector(detector: try makeDetector(threads), drawer: drawer)
        }.run(images)
    }
}
