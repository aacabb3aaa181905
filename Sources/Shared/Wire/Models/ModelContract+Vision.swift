extension ModelContract {
    /// How images go into a model and what comes out, as the probe found it.
    ///
    /// It has either `problem` and maybe `missing`, or all other members.
    public struct Vision: Codable, Sendable, Hashable {
        /// `labels` for a model that labels whole images, `boxes` for one that finds objects.
        public var task: String?
        /// Everything that was found, from the file or by what is usual.
        public var processing: ImageProcessingBody?
        /// How an image becomes the input, in words.
        public var images: String?
        /// What the outputs are, in words: a text for each output with labels, or one about the boxes.
        public var answers: [String]?
        /// Whether the file does not state what its outputs are, so that the numbers of each run have to confirm it. Absent
        /// for no.
        public var isGuess: Bool?
        /// Why the model cannot be used with images as it is, and what to state. Only `missing` is beside it.
        public var problem: String?
        /// What the file does not say: `normalization`, `layout`. Absent if stating something does not help.
        public var missing: [String]?

        package init(task: String, processing: ImageProcessingBody, images: String, answers: [String], isGuess: Bool) {
            self.task = task
            self.processing = processing
            self.images = images
            self.answers = answers
            self.isGuess = isGuess ? true : nil
        }

        package init(problem: String, missing: [String]?) {
            self.problem = problem
            self.missing = missing
        }

        /// The values of `task`.
        package static let knownTasks = ["labels", "boxes"]
        /// The values in `missing`, and the options of commands that state them.
        package static let normalization = "normalization"
        package static let layout = "layout"
    }
}
