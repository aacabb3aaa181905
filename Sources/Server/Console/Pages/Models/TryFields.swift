import HearthWire

/// The fields of a try that say how images go in and what comes out, where it is not as the file says. `processing.js`
/// reads them.
enum TryFields {
    private static let asInFile = (value: "", text: "as the file says")

    /// - Parameter isOpen: whether they are shown at once, because nothing works without them.
    static func markup(isOpen: Bool) -> Markup {
        details(.id("processing"), Attribute("open", if: isOpen)) {
            summary { "How images go in, and what comes out" }
            p(.class("faint")) {
                "For this try only. Nothing is stored; below the answers stands the command that writes it into the file."
            }
            div(.class("filter")) {
                Field.choice("normalize", "Values of the input", normalizations, selected: "")
                Field.choice("channels", "Channels", channels, selected: "")
                Field.choice("resize", "Fitting to the input", resizes, selected: "")
                Field.choice("layout", "Layout of boxes", layouts, selected: "")
                Field.choice("activation", "Scores of labels", activations, selected: "")
            }
            div(.id("own-numbers"), Attribute("hidden", if: true)) {
                div(.class("filter")) {
                    Field.number("mean", "Mean", value: "127.5", hint: "One number, or one for each channel.")
                    Field.number("deviation", "Standard deviation", value: "127.5", hint: "As many numbers; none is 0.")
                }
            }
        }
    }

    /// The values are those of `--normalize`.
    private static let normalizations = [
        asInFile, ("127.5,127.5", "-1 to 1 (Teachable Machine, MobileNet)"), ("0,255", "0 to 1 (YOLO)"),
        ("0,1", "0 to 255, the bytes"),
        ("123.675:116.28:103.53,58.395:57.12:57.375", "ImageNet's mean and deviation (PyTorch)"),
        ("own", "own numbers"),
    ]
    private static let channels = [
        asInFile, ("rgb", "red, green, blue"), ("bgr", "blue, green, red"), ("gray", "one, gray"),
        ("rgba", "red, green, blue, opacity"),
    ]
    private static let resizes = [
        asInFile, ("stretch", "stretched"), ("letterbox", "whole, with a border"),
        ("letterbox-top-left", "whole, in the upper left corner"), ("crop", "cropped to the middle"),
    ]
    private static let layouts = [asInFile] + ImageProcessingBody.knownLayouts.map { ($0, $0) }
    private static let activations = [
        asInFile, ("none", "the outputs themselves"), ("softmax", "logits, one label is right (softmax)"),
        ("sigmoid", "logits, each label for itself (sigmoid)"),
    ]
}
