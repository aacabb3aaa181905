/// What came of one picture, ready to be printed.
struct PictureOutcome: Sendable, Equatable {
    /// For standard output; ends with a newline unless it is empty.
    var output: String
    /// For standard error.
    var note: String?
    var isFailure = false
}
