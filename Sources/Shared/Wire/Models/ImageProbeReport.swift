/// What `hearth probe --images` prints: a line about the model, then a line for each image in the order of the input.
package enum ImageProbeReport {
    /// The first line.
    package struct Start: Codable, Sendable, Equatable {
        /// Whether the model finds boxes; otherwise it labels whole images.
        package var isDetector: Bool?
        /// Why the model cannot be used; then no other line follows.
        package var failure: String?
        /// How images go in and what comes out, in this run; nil when the server did not ask for it.
        package var vision: ModelContract.Vision?

        package init(isDetector: Bool? = nil, failure: String? = nil) {
            self.isDetector = isDetector
            self.failure = failure
        }
    }

    /// A label or a box.
    package struct Answer: Codable, Sendable, Equatable {
        /// Empty when the model has no name for this index.
        package var text: String
        package var index: Int
        package var confidence: Double
        /// Left, top, width and height in pixels of the upright image; nil for a label.
        package var box: [Double]?

        package init(text: String, index: Int, confidence: Double, box: [Double]? = nil) {
            self.text = text
            self.index = index
            self.confidence = confidence
            self.box = box
        }
    }

    /// The labels of one output of a model that has several.
    package struct Output: Codable, Sendable, Equatable {
        /// Empty when the output has no name.
        package var name: String
        /// The highest confidence first.
        package var answers: [Answer]

        package init(name: String, answers: [Answer]) {
            self.name = name
            self.answers = answers
        }
    }

    /// A line about one image: its answers, or why there are none.
    package struct Image: Codable, Sendable, Equatable {
        /// The highest confidence first.
        package var answers: [Answer]?
        /// The best answers of each output, if several have labels and the server asked for them, in the model's order.
        package var outputs: [Output]?
        /// Of the upright image, in pixels.
        package var width: Int?
        package var height: Int?
        /// The time of the run, without decoding; at least 1.
        package var microseconds: Int?
        /// The most RAM that the process has used so far.
        package var peakMemoryBytes: Int?
        package var failure: String?
        /// True if the bytes are no image that can be decoded; nil for every other failure.
        package var isUnreadable: Bool?

        package init(failure: String, isUnreadable: Bool? = nil) {
            self.failure = failure
            self.isUnreadable = isUnreadable
        }

        package init(answers: [Answer], width: Int, height: Int, microseconds: Int, peakMemoryBytes: Int?) {
            self.answers = answers
            self.width = width
            self.height = height
            self.microseconds = microseconds
            self.peakMemoryBytes = peakMemoryBytes
        }
    }
}
