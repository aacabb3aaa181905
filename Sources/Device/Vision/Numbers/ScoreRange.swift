/// The lowest and the highest score that a model returned for an image. They show whether its scores can be
/// probabilities, also where only some of them are in the answer.
package struct ScoreRange: Sendable, Hashable {
    /// Infinite while no number was included.
    package private(set) var lowest = Float.infinity
    /// Infinite while no number was included.
    package private(set) var highest = -Float.infinity

    package init() {}

    init(_ scores: some Sequence<Float>) {
        for score in scores { include(score) }
    }

    /// A score that is not a number changes nothing.
    mutating func include(_ score: Float) {
        if score < lowest { lowest = score }
        if score > highest { highest = score }
    }
}
