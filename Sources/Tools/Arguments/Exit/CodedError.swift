/// An error that has a code for programs, beside its text for people.
package protocol CodedError: Error {
    /// In capitals, such as `NOT_FOUND`.
    var code: String { get }
}
