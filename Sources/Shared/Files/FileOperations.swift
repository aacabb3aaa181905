/// The file operations that decide whether state survives a crash.
///
/// Everything that Hearth stores on disk outside its database uses this protocol, so that a test can record the
/// operations and replay every prefix of them, with the loss of unsynchronized data and renames.
/// Calls block; none may run on Swift's cooperative pool.
package protocol FileOperations: Sendable {
    /// Creates the folder and its missing parents, and synchronizes each parent that gets an entry.
    func makeFolder(_ path: String, mode: UInt32) throws(FileError)

    /// Creates a new file for writing. Throws `.exists` if there is one.
    func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile

    /// Opens or creates the file for appending, and holds its lock; nil while another writer holds it.
    func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)?

    /// Replaces `target`, which must be in the same folder, by `source` in one step.
    func rename(_ source: String, to target: String) throws(FileError)

    /// Makes the folder's entries (created, renamed, removed) durable: `fsync` on the folder.
    func synchronizeFolder(_ path: String) throws(FileError)

    func remove(_ path: String) throws(FileError)

    /// The whole file. Throws `.tooLarge` beyond `limitBytes`.
    func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8]

    /// The file's length in bytes; nil if there is no such regular file.
    func size(_ path: String) throws(FileError) -> UInt64?

    /// The names of the folder's entries, sorted. Throws `.notFound` if there is no folder.
    func list(_ path: String) throws(FileError) -> [String]

    /// How many more bytes this user may write to the disk that contains the folder.
    func freeBytes(_ folder: String) throws(FileError) -> UInt64

    /// A mark in a recording: "from here on the caller has its answer". Does nothing on a disk.
    func note(_ mark: String)
}

extension FileOperations {
    package func note(_ mark: String) {}
}

/// A file being written. One owner, one thread at a time; closed when released.
package protocol WritableFile: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError)
    /// Makes the bytes written so far durable: `fsync`.
    func synchronize() throws(FileError)
    /// Drops all bytes from `size` on. The file must have at least that many.
    func truncate(to size: UInt64) throws(FileError)
    /// Whether the path still leads to the open file: false after it was removed, renamed, or replaced by another.
    var isInPlace: Bool { get }
}

extension WritableFile {
    /// Drops all bytes.
    package func truncate() throws(FileError) { try truncate(to: 0) }

    package func write(_ bytes: [UInt8]) throws(FileError) {
        // `withUnsafeBytes` rethrows untyped errors, so a `Result` carries the typed error.
        let result: Result<Void, FileError> = bytes.withUnsafeBytes { buffer in
            do throws(FileError) { return .success(try write(buffer)) } catch { return .failure(error) }
        }
        try result.get()
    }
}
