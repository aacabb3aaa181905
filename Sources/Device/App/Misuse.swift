/// Where Google's library raises an exception: mistakes of the programmer, which end the process.
package enum Misuse {
    /// `fatalError`, because a failed precondition says nothing in a release build.
    package static func stop(_ text: String) -> Never { fatalError(text) }
}
