import HearthTestSupport

/// A label file in a folder of its own.
struct LabelFile {
    let folder: TemporaryFolder
    let path: String

    init(_ text: String) throws {
        folder = try TemporaryFolder()
        path = try folder.write(text.utf8, to: "labels.txt")
    }
}
