/// Rehearsals on the wire: the images on which the versions of a model are compared before they are released, and the
/// results.
public enum RehearsalBodies {
    /// An image of a model's set.
    public struct Image: Codable, Sendable, Hashable {
        /// The name, unique in the set; slashes separate folders.
        public var name: String
        /// The expected answer; nil if there is none.
        public var label: String?
        /// The SHA-256 of the file in lower-case hex.
        public var sha256: String
        /// Decimal digits.
        public var sizeBytes: String
        /// When it was added.
        public var createTime: String
        /// Who added it: a service account's email, or `token:{id}`.
        public var createdBy: String

        package init(
            name: String, label: String?, sha256: String, sizeBytes: String, createTime: String, createdBy: String
        ) {
            self.name = name
            self.label = label
            self.sha256 = sha256
            self.sizeBytes = sizeBytes
            self.createTime = createTime
            self.createdBy = createdBy
        }
    }

    /// A label of an image, or a box with its label.
    public struct Answer: Codable, Sendable, Hashable {
        /// The label's text; empty when the model has no name for this index.
        public var text: String
        /// The index of the label, from 0.
        public var index: Int
        /// The score, usually 0 to 1.
        public var confidence: Double
        /// Left, top, width and height in pixels of the upright image; nil for a label.
        public var box: [Double]?

        package init(text: String, index: Int, confidence: Double, box: [Double]? = nil) {
            self.text = text
            self.index = index
            self.confidence = confidence
            self.box = box
        }

        /// The label's text, or its index with a `#`.
        package var name: String { text.isEmpty ? "#\(index)" : text }
    }

    /// What one version answered to one image.
    public struct Answers: Codable, Sendable, Hashable {
        /// The best ones, the highest confidence first; nil after a failure.
        public var answers: [Answer]?
        /// The time of the run in microseconds, without decoding.
        public var microseconds: Int?
        /// Why there is no answer, in one line.
        public var failure: String?

        package init(answers: [Answer]?, microseconds: Int? = nil, failure: String? = nil) {
            self.answers = answers
            self.microseconds = microseconds
            self.failure = failure
        }
    }

    /// One image, with the answers of both versions.
    public struct Comparison: Codable, Sendable, Hashable {
        /// The image's name.
        public var name: String
        /// The expected answer.
        public var label: String?
        /// The answers of the rehearsed version.
        public var candidate: Answers
        /// The answers of the version that it is compared with.
        public var baseline: Answers?
        /// `answer` if the best label differs, `boxes` if boxes were lost or found, `failure` if only the rehearsed
        /// version failed, `recovery` if only the other one failed; nil for the same answer.
        public var change: String?
        /// Boxes that only the version compared with has.
        public var boxesLost: Int?
        /// Boxes that only the rehearsed version has.
        public var boxesFound: Int?

        package init(name: String, label: String?, candidate: Answers, baseline: Answers?) {
            self.name = name
            self.label = label
            self.candidate = candidate
            self.baseline = baseline
        }
    }

    /// One version's results on all images.
    public struct Totals: Codable, Sendable, Hashable {
        /// The images that it answered.
        public var answered = 0
        /// The images on which it failed.
        public var failed = 0
        /// The images whose expected answer it gave, of `Summary.labeled`.
        public var correct = 0
        /// The mean of the best confidences.
        public var meanConfidence: Double?
        /// The median time of a run in microseconds.
        public var medianMicroseconds: Int?
        /// The most RAM that the process used.
        public var peakMemoryBytes: Int?

        package init() {}
    }

    /// The results of one expected answer.
    public struct LabelRow: Codable, Sendable, Hashable {
        /// The expected answer.
        public var label: String
        /// The images that have it, without those on which both versions failed.
        public var images: Int
        /// How many of them the rehearsed version answered correctly.
        public var candidateCorrect: Int
        /// How many of them the other version answered correctly; nil without one.
        public var baselineCorrect: Int?
        /// How many of them only the other version answered correctly; nil without one, and in older results.
        public var lost: Int?

        package init(label: String, images: Int, candidateCorrect: Int, baselineCorrect: Int?, lost: Int? = nil) {
            self.label = label
            self.images = images
            self.candidateCorrect = candidateCorrect
            self.baselineCorrect = baselineCorrect
            self.lost = lost
        }
    }

    /// What a gate is applied to.
    public struct Summary: Codable, Sendable, Hashable {
        /// The images of the set.
        public var images = 0
        /// The images that at least one of both versions answered; 0 without a version to compare with.
        public var compared = 0
        /// Of these, the images with the same answer of both versions.
        public var agreeing = 0
        /// The images with an expected answer that at least one version answered.
        public var labeled = 0
        /// The images whose expected answer only the version compared with gave; nil without one, and in older results.
        public var lost: Int?
        /// The rehearsed version.
        public var candidate = Totals()
        /// The version that it is compared with.
        public var baseline: Totals?
        /// Boxes that the rehearsed version lost; nil for labelers.
        public var boxesLost: Int?
        /// Boxes that only the rehearsed version found; nil for labelers.
        public var boxesFound: Int?
        /// How much higher the rehearsed version's confidence is, on average over the images that both answered the
        /// same.
        public var confidenceShift: Double?
        /// By expected answer, in order of the text.
        public var labels: [LabelRow]?

        package init() {}
    }

    /// Whether a rehearsal meets requirements.
    public struct Verdict: Codable, Sendable, Hashable {
        /// The requirements, such as `agreement=98%,shown-loss=1%`.
        public var require: String
        /// Whether it meets them all.
        public var passes: Bool
        /// One line for each one that it does not meet.
        public var failures: [String]?
        /// What the requirements cannot tell on so many images: how often they refuse an equally good version, or the
        /// smallest loss that they show. Only in the answer about one rehearsal.
        public var notes: [String]?

        package init(require: String, failures: [String], notes: [String] = []) {
            self.require = require
            passes = failures.isEmpty
            self.failures = failures.isEmpty ? nil : failures
            self.notes = notes.isEmpty ? nil : notes
        }
    }
}
