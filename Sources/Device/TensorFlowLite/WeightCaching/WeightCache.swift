public import Foundation
import HearthCrypto

/// A folder for weights as XNNPACK arranges them, which makes later loads of a model several times faster. Each model has
/// a file of about its weights' size there, which grows old only with the model: delete what is not needed any more.
///
/// **Only your own program may be able to write to the folder.** The engine believes what it finds in these files: other
/// contents mean wrong numbers without an error, and a file cut short while a model is in use ends the process. So the
/// folder is made for its owner alone (mode 0700, files 0600), and one that belongs to somebody else, or that others may
/// write to, is not used. To clear the cache, delete files; never write to them. Several threads and processes may share
/// a folder.
///
/// A file's name holds the SHA-256 of the model's bytes and of what else its contents depend on: the engine's version, the
/// options of the kernels, and the kind of CPU.
///
/// A model's first load builds its file in memory, where it stays while that interpreter lives, and then copies it to the
/// folder: under a name of its own at first, of which a process that is killed meanwhile may leave one behind. Loads remove
/// such leftovers after a day.
///
/// A model loads without the cache when the folder cannot be used, and goes on without when the file cannot be written, as
/// to a full disk; `logLevel` `.warning` tells why.
public struct WeightCache: Hashable, Sendable {
    /// The folder; made if missing.
    public let directory: String

    /// What the caller knows to be the SHA-256 of the model's bytes, in lower-case hex.
    public let modelHash: String?

    /// - Parameters:
    ///   - directory: The folder's path, without quotation marks and control characters.
    ///   - modelHash: SHA-256 of exactly the bytes that the interpreter is made with, as 64 hex digits, for callers that
    ///     know it, such as those of a content-addressed store; another model's hash gives wrong numbers. nil to have it
    ///     computed with each load, which takes about a millisecond for two megabytes.
    /// - Throws: `InterpreterError.tensorFlowLiteError` when either has another form.
    public init(directory: String, modelHash: String? = nil) throws(InterpreterError) {
        // The engine takes the path in a line of text, between quotes, and knows no escapes.
        let isForbidden = { (scalar: Unicode.Scalar) in scalar == "\"" || scalar.properties.generalCategory == .control
        }
        guard !directory.isEmpty, !directory.unicodeScalars.contains(where: isForbidden) else {
            throw .tensorFlowLiteError(
                "The weight cache's folder needs a path without quotation marks and line breaks; choose another one.")
        }
        if let modelHash {
            guard SHA256Digest(hex: modelHash) != nil else {
                throw .tensorFlowLiteError("A model's hash is its SHA-256 as 64 hex digits; pass that, or nil.")
            }
        }
        self.directory = directory
        self.modelHash = modelHash?.lowercased()
    }

    /// As ``init(directory:modelHash:)``.
    /// - Parameter directory: A file URL.
    public init(directory: URL, modelHash: String? = nil) throws(InterpreterError) {
        guard directory.isFileURL else {
            throw .tensorFlowLiteError("The weight cache's folder needs a file URL; choose a folder on a disk.")
        }
        try self.init(directory: directory.path, modelHash: modelHash)
    }
}

/// Makes sure that a weight cache's folder is one that only its owner writes to.
enum WeightCacheFolder {
    /// Makes the folder if it is missing.
    /// - Returns: Why it cannot be used; nil if it can.
    static func problem(with path: String) -> String? {
        if mkdirWithParents(path) != 0 { return "the directory cannot be created (\(SystemError(number: errno)))" }
        var status = stat()
        guard stat(path, &status) == 0 else { return "the directory cannot be read (\(SystemError(number: errno)))" }
        guard status.st_mode & S_IFMT == S_IFDIR else { return "it is not a directory" }
        guard status.st_uid == geteuid() else { return "the folder belongs to another user" }
        guard status.st_mode & 0o022 == 0 else { return "other users can write to the directory; run chmod go-w on it" }
        guard access(path, W_OK | X_OK) == 0 else { return "the folder cannot be written to" }
        return nil
    }

    /// Removes what processes that were killed while they wrote a file left behind.
    static func removeStaleFiles(in path: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where WeightCacheName.isTemporary(name) {
            var status = stat()
            let file = "\(path)/\(name)"
            guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
                Date().timeIntervalSince1970 - TimeInterval(status.st_mtim.tv_sec) > staleAge
            else { continue }
            unlink(file)
        }
    }

    /// Far longer than any file takes to be written.
    private static let staleAge: TimeInterval = 24 * 60 * 60

    private static func mkdirWithParents(_ path: String) -> Int32 {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return 0 }
        let parent = (path as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != path, mkdirWithParents(parent) == 0 else { return -1 }
        return mkdir(path, 0o700) == 0 || errno == EEXIST ? 0 : -1
    }
}
