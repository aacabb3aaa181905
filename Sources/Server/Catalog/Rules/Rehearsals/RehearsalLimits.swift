/// The most that a model's images and their rehearsals may use.
package struct RehearsalLimits: Sendable, Hashable {
    /// The fewest images of a rehearsal: with fewer, one image decides over a gate.
    package var leastImages = 20
    /// The most images of a model.
    package var images = 500
    /// The largest image file.
    package var imageBytes = 8 << 20
    /// The largest set of a model.
    package var setBytes: UInt64 = 256 << 20
    /// The longest name of an image, in bytes of UTF-8.
    package var nameBytes = 200
    /// The longest expected answer, in bytes of UTF-8.
    package var labelBytes = 100
    /// The results that are kept for a model; older ones are deleted.
    package var keptResults = 20
    /// The most rehearsals of a project that run or wait.
    package var waitingPerProject = 4
    /// The processor time in which the probe must have loaded the model, and then answered each image; then it is killed.
    package var answerProcessorSeconds = 20.0
    /// The time by the clock for it. It is longer, because a busy machine gives the probe little of its processors.
    package var answerWallSeconds = 80.0
    /// The time of one version on all images; the images after it fail.
    package var versionWallSeconds = 1800.0
    /// How often the probe is started again after an image that ended it; the images after that fail.
    package var restarts = 20
    /// The longest line that the probe may print.
    package var lineBytes = 64 << 10
    /// The most answers of one image.
    package var answers = 20
    /// The most characters of a text of the probe.
    package var textCharacters = 1000

    package init() {}

    /// Why an image may not have this name; nil if it may.
    package func refusal(ofName name: String) -> String? {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...nameBytes).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.fitsOneLine),
            !name.contains(":"), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else {
            return
                "An image's name must have 1 to \(nameBytes) bytes, no colon, no control characters, and no empty part, "
                + "'.' or '..' between its slashes."
        }
        return nil
    }

    /// Why an expected answer may not have this text; nil if it may.
    package func refusal(ofLabel label: String) -> String? {
        guard (1...labelBytes).contains(label.utf8.count), label.unicodeScalars.allSatisfy(\.fitsOneLine) else {
            return "An expected answer must have 1 to \(labelBytes) bytes and no control characters."
        }
        return nil
    }
}
