/// A box that a model found, with the class that it found there.
struct ScoredBox: Sendable, Hashable {
    var box: Box
    var classIndex: Int
    var score: Float
}
