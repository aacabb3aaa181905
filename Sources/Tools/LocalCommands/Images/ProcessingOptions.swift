import Foundation
package import HearthArguments
package import HearthModelFile

/// The options about how images go into a model, where its file does not say it.
package struct InputProcessingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The values that the model's input takes: mean and standard deviation, as in 127.5,127.5 for -1 to 1, with one \
            number or one for each channel (123.7:116.3:103.5,58.4:57.1:57.4); or a range of values, as in 0..1. Default: \
            what the file says.
            """,
            valueName: "mean,deviation"))
    var normalize: NormalizationArgument?

    @Option(
        help: ArgumentHelp(
            "The channels of the model's input: rgb, bgr, gray (or 1) or rgba (or 4). Default: by their number.",
            valueName: "channels"))
    var channels: ChannelsArgument?

    @Option(
        help: ArgumentHelp(
            """
            How images are fitted to the model's input: stretch, letterbox (with a gray border), \
            letterbox-top-left or crop. Default: as is usual for such a model.
            """,
            valueName: "way"))
    var resize: ImageProcessing.Resize?

    package init() {}

    var processing: ImageProcessing {
        ImageProcessing(channels: channels?.channels, normalization: normalize?.normalization, resize: resize)
    }
}

/// The options about what a detector's outputs mean.
package struct BoxProcessingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What the outputs of a detector are: \(BoxLayout.allCases.map(\.rawValue).joined(separator: ", ")). Default: \
            what the file says, else what their shapes and values say.
            """,
            valueName: "layout"))
    var layout: BoxLayout?

    @Option(
        help: ArgumentHelp(
            """
            Drop the lower of two boxes of a class whose intersection over union is above this value, 0 to 1. Only for \
            models that do not do so themselves.
            """,
            valueName: "value"))
    var overlap: Float?

    package init() {}

    package func validate() throws {
        if let overlap, !(0...1).contains(overlap) { throw ValidationError("--overlap must be between 0 and 1.") }
    }

    var processing: ImageProcessing { ImageProcessing(layout: layout, overlapThreshold: overlap) }
}

/// The options about what a labeler's outputs mean.
package struct LabelProcessingOptions: ParsableArguments {
    @Flag(help: "The model returns logits of which one label is right: show probabilities.")
    var softmax = false

    @Flag(help: "The model returns logits of which each label is right or wrong on its own: show probabilities.")
    var sigmoid = false

    package init() {}

    package func validate() throws {
        if softmax, sigmoid { throw ValidationError("Give --softmax or --sigmoid, not both.") }
    }

    var processing: ImageProcessing {
        ImageProcessing(activation: softmax ? .softmax : sigmoid ? .sigmoid : nil)
    }
}

/// The options about how images go into a model and what comes out, for a model of any kind.
package struct StatedProcessingOptions: ParsableArguments {
    @OptionGroup var input: InputProcessingOptions
    @OptionGroup var boxes: BoxProcessingOptions
    @OptionGroup var scores: LabelProcessingOptions

    package init() {}

    package var processing: ImageProcessing {
        input.processing.completed(by: boxes.processing).completed(by: scores.processing)
    }
}

/// All options about how images go into a model and what comes out, to be written into its file.
package struct ProcessingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with one label per line, or a TensorFlow label map (.pbtxt). Default: the model's own labels, else a file \
            beside the model.
            """,
            valueName: "file"))
    package var labels: String?

    @OptionGroup var options: StatedProcessingOptions

    @Option(
        help: ArgumentHelp(
            "Leave out labels and boxes with a lower confidence, 0 to 1, unless the caller asks for another threshold.",
            valueName: "value"))
    var threshold: Float?

    package init() {}

    package func validate() throws {
        if let threshold, !(0...1).contains(threshold) { throw ValidationError("--threshold must be between 0 and 1.") }
    }

    /// What the options state.
    package var stated: ImageProcessing {
        options.processing.completed(by: ImageProcessing(scoreThreshold: threshold))
    }

    /// Whether an option is given.
    package var isStated: Bool { labels != nil || !stated.isEmpty }
}

/// A normalization in the form of the command line: `mean,deviation`, or `low..high`.
struct NormalizationArgument: ExpressibleByArgument, ValueExpectation {
    static let expectation =
        "the mean and the standard deviation, as in '127.5,127.5', or a range of values, as in '0..1'"

    let normalization: ImageProcessing.Normalization

    init?(argument: String) {
        let ends = argument.components(separatedBy: "..")
        if ends.count == 2 {
            guard let low = Float(ends[0]), let high = Float(ends[1]),
                let range = ImageProcessing.Normalization(low: low, high: high)
            else { return nil }
            normalization = range
            return
        }
        let lists = argument.split(separator: ",", omittingEmptySubsequences: false).map(Self.numbers)
        guard lists.count == 2, let mean = lists[0], let deviation = lists[1] else { return nil }
        let count = max(mean.count, deviation.count)
        let stated = ImageProcessing.Normalization(
            mean: Self.repeated(mean, count), standardDeviation: Self.repeated(deviation, count))
        guard ImageProcessing.Channels.allCases.contains(where: { stated.isValid(channelCount: $0.count) }) else {
            return nil
        }
        normalization = stated
    }

    private static func numbers(_ text: Substring) -> [Float]? {
        let numbers = text.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
        let known = numbers.compactMap(\.self)
        return known.count == numbers.count ? known : nil
    }

    private static func repeated(_ numbers: [Float], _ count: Int) -> [Float] {
        numbers.count == 1 ? Array(repeating: numbers[0], count: count) : numbers
    }
}

/// The channels in the form of the command line: their name, or their number.
struct ChannelsArgument: ExpressibleByArgument {
    let channels: ImageProcessing.Channels

    init?(argument: String) {
        let numbers: [String: ImageProcessing.Channels] = ["1": .gray, "3": .rgb, "4": .rgba]
        guard let channels = numbers[argument] ?? ImageProcessing.Channels(rawValue: argument) else { return nil }
        self.channels = channels
    }

    static let allValueStrings = ImageProcessing.Channels.allCases.map(\.rawValue) + ["1", "3", "4"]
}

extension BoxLayout: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument) }
    package static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

extension ImageProcessing.Resize: ExpressibleByArgument {
    package init?(argument: String) { self.init(rawValue: argument) }
    package static var allValueStrings: [String] { allCases.map(\.rawValue) }
}
