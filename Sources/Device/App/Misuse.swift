/// Where Google's library raises an exception: mistakes of the programmer, which end the process.
enum Misuse {
    /// `fatalError`, because a failed precondition says nothing in a release build.
    static func stop(_ text: String) -> Never { fatalError(text) }
}
