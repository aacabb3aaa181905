public import HearthWire

/// What a version answers to one image that a caller sends: `POST …/versions/{n or alias}:try` with the bytes of an image
/// file.
public enum TryBodies {
    /// A label of the image, or a box with its label.
    public struct Answer: Codable, Sendable, Hashable {
        /// The label's text; empty when the model has no name for this index.
        public var label: String
        /// The index of the label, from 0.
        public var index: Int
        /// The score, usually 0 to 1.
        public var confidence: Double
        /// Left, top, width and height in pixels of the upright image; nil for a label.
        public var box: [Double]?

        package init(label: String, index: Int, confidence: Double, box: [Double]? = nil) {
            self.label = label
            self.index = index
            self.confidence = confidence
            self.box = box
        }
    }

    /// The labels of one output of a version that has several.
    public struct Output: Codable, Sendable, Hashable {
        /// The output's name in the model; empty when it has none.
        public var name: String
        /// The best ones, the highest confidence first; at most 10.
        public var answers: [Answer]

        package init(name: String, answers: [Answer]) {
            self.name = name
            self.answers = answers
        }
    }

    /// What one version answered.
    public struct Answers: Codable, Sendable, Hashable {
        /// The version's number.
        public var version: Int
        /// The width of the upright image in pixels.
        public var width: Int
        /// The height of the upright image in pixels.
        public var height: Int
        /// The best ones, the highest confidence first. With a threshold, at most 100 that reach it; otherwise at most 20,
        /// and boxes only with a confidence above 0.5, unless the file or the request states another threshold.
        public var answers: [Answer]
        /// For a labeler that has several outputs: each of them in the model's order, at most 8. `answers` has the labels
        /// of the one that counts in apps and rehearsals.
        public var outputs: [Output]?
        /// How the image went in, and what came out, in this run.
        public var vision: ModelContract.Vision?
        /// The time of the run in microseconds, without decoding and loading; at least 1.
        public var runMicroseconds: Int
        /// The most RAM that the process used, in bytes; 0 if it is not known.
        public var peakMemoryBytes: Int

        package init(
            version: Int, width: Int, height: Int, answers: [Answer], runMicroseconds: Int, peakMemoryBytes: Int
        ) {
            self.version = version
            self.width = width
            self.height = height
            self.answers = answers
            self.runMicroseconds = runMicroseconds
            self.peakMemoryBytes = peakMemoryBytes
        }
    }

    /// What several versions answered to the same image, in the order of the request.
    package struct Results: Codable, Sendable {
        package var results: [Answers]

        package init(results: [Answers]) { self.results = results }
    }
}
