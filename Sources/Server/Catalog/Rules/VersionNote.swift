/// The note of a version: a line that people write about it.
package enum VersionNote {
    /// The most bytes of UTF-8.
    package static let byteLimit = 500

    /// - Throws: `invalidArgument` unless the text is one line that is not too long and of which a reader sees something. An empty
    ///   text means no note.
    package static func check(_ text: String) throws(CatalogError) {
        guard text.utf8.count <= byteLimit else {
            throw CatalogError(
                .invalidArgument, "A note has at most \(byteLimit) bytes; this one has \(text.utf8.count).")
        }
        guard text.unicodeScalars.allSatisfy(\.fitsOneLine) else {
            throw CatalogError(
                .invalidArgument,
                "A note is one line, without control characters or marks that change the direction of text.")
        }
        guard text.isEmpty || !text.isInvisible else {
            throw CatalogError(.invalidArgument, "A note has at least one visible character; leave it out for none.")
        }
    }
}
