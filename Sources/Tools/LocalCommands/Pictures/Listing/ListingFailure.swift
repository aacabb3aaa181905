import Glibc

/// A folder whose pictures cannot be listed.
struct ListingFailure: Error, Sendable, CustomStringConvertible {
    let folder: String
    let description: String

    init(_ folder: String, _ number: Int32) {
        self.folder = folder
        description = "The folder cannot be read: \(String(cString: strerror(number)))."
    }
}
