import HearthWire

/// How images go into a version and what comes out, or why none can go in and what to do.
struct VisionView {
    private let vision: ModelContract.Vision
    private let model: PageModel
    private let version: Int

    init(_ vision: ModelContract.Vision, _ model: PageModel, version: Int) {
        self.vision = vision
        self.model = model
        self.version = version
    }

    var markup: Markup {
        section(.id("vision")) {
            h2 { "Images" }
            if let problem = vision.problem { self.problem(problem) } else { facts }
        }
    }

    // MARK: What is known

    @MarkupBuilder
    private var facts: Markup {
        dl(.class("facts")) {
            VersionPages.fact("Finds", .text(vision.task == "boxes" ? "objects, with boxes" : "labels of whole images"))
            VersionPages.fact("An image goes in as", .text(vision.images ?? ""))
            VersionPages.fact("What comes out", answers)
            if let overlap = vision.processing?.overlapThreshold {
                VersionPages.fact(
                    "Overlapping boxes",
                    .text(
                        """
                        of two boxes of a class with an intersection over union above \(NumberText.decimal(overlap, 2)), the better \
                        one stays
                        """))
            }
        }
        if vision.isGuess == true {
            p(.class("faint")) {
                """
                The file does not say what its outputs are; their shapes do. The numbers of each run must confirm it, and a run \
                that does not gives an error instead of wrong boxes. To state the layout, push the file with --layout.
                """
            }
        }
    }

    private var answers: Markup {
        let texts = vision.answers ?? []
        guard texts.count > 1 else { return .text(texts.first ?? "") }
        return ul { texts.map { text in li { text } } }
    }

    // MARK: What is missing

    @MarkupBuilder
    private func problem(_ problem: String) -> Markup {
        div(.class("hint")) {
            p {
                "Images cannot go into this version as it is. "
                if vision.missing == [ModelContract.Vision.normalization] { Self.unknownValues } else { problem }
            }
        }
        if let options {
            p {
                "Try it first "
                a(model.link("try").with([("version", "\(version)")])) { "on an image, in another way" }
                ". Then write what fits into the file, and it becomes a new version for all apps:"
            }
            [["hearth", "models", "push", model.name, "FILE.tflite"], ["hearth", "pack", "FILE.tflite"]].map { words in
                copied(words + options)
            }
        }
    }

    private static let unknownValues = """
        The file does not say which values its input takes. Usual are 127.5,127.5 for -1 to 1 (Teachable Machine, MobileNet), \
        0,255 for 0 to 1 (YOLO) and 0,1 for 0 to 255; who trained the model knows it.
        """

    /// The options that state what is missing, with the most usual values of the input; nil if stating something does not
    /// help.
    private var options: [String]? {
        guard let missing = vision.missing else { return nil }
        return missing.flatMap { name in
            name == ModelContract.Vision.layout ? ["--layout", "LAYOUT"] : ["--normalize", "127.5,127.5"]
        }
    }

    private func copied(_ words: [String]) -> Markup {
        let words = words.map(ShellText.quoted)
        return div(.class("copied")) {
            pre {
                // Browsers would break a line after the hyphens of an option.
                code {
                    words.enumerated().map { place, word in
                        Markup.joined {
                            if place > 0 { " " }
                            if word.hasPrefix("--") { span(.class("pair")) { word } } else { word }
                        }
                    }
                }
            }
            button(.type("button"), .class("copy"), Attribute("data-copy", words.joined(separator: " "))) { "Copy" }
        }
    }
}
