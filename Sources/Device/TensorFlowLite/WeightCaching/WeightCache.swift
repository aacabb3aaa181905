public import Foundation
import HearthCrypto

/// A folder for weights in XNNPACK's arrangement, which makes later loads of a model several times faster. Each model
/// has a file there of about its weights' size. The cache deletes no files of models; delete those that you no longer
/// need.
///
/// **Only your own program may be able to write to the folder.** The engine trusts these files: other contents mean
/// wrong numbers without an error, and a file that is truncated while a model uses it ends the process. So the folder
/// is created for its owner alone (mode 0700, files 0600). A folder that belongs to another user, or that others may
/// write to, is not used. To clear the cache, delete files; never write to them. Several threads and processes may
/// share a folder.
///
/// A file's name contains the SHA-256 of the model's bytes and a hash of what else its contents depend on: the engine's
/// version, the options of the kernels, and the kind of CPU.
///
/// A model's first load builds its file in memory, where it stays as long as that interpreter lives, and then copies it
/// to the folder. The copy has a temporary name at first. A process that is killed during the copy may leave such a
/// file behind; loads remove these files after a day.
///
/// A model loads without the cache when the folder cannot be used or the file cannot be written, for example to a full
/// disk. With the `logLevel` `.warning`, the log has the reason.
public struct WeightCache: Hashable, Sendable {
    /// The folder; created if it is missing.
    public let directory: String

    /// The SHA-256 of the model's bytes in lower-case hex, if the caller knows it.
    public let modelHash: String?

    /// Describes a cache; a model's load creates and uses it.
    /// - Parameters:
    ///   - directory: The folder's path, without quotation marks and control characters.
    ///   - modelHash: The SHA-256 of exactly the bytes that the interpreter loads, as 64 hex digits, for callers that
    ///     know it, such as those of a content-addressed store. Another model's hash gives wrong numbers. With nil,
    ///     each load computes it, which takes about a millisecond for two megabytes.
    /// - Throws: `InterpreterError.tensorFlowLiteError` when one of them has another form.
    public init(directory: String, modelHash: String? = nil) throws(InterpreterError) {
        // The engine reads the path from a quoted line of text, and has no escapes.
        let isForbidden = { (scalar: Unicode.Scalar) in scalar == "\"" || scalar.properties.generalCategory == .control
        }
        guard !directory.isEmpty, !directory.unicodeScalars.contains(where: isForbidden) else {
            throw .tensorFlowLiteError(
                "The weight cache's folder needs a path without quotation marks and line breaks; choose another one.")
        }
        if let modelHash {
            guard SHA256Digest(hex: modelHash) != nil else {
                throw .tensorFlowLiteError("A model's hash must be its SHA-256 as 64 hex digits, or nil.")
            }
        }
        self.directory = directory
        self.modelHash = modelHash?.lowercased()
    }

    /// Creates a cache in the folder that a URL names.
    /// - Parameters:
    ///   - directory: A file URL.
    ///   - modelHash: The SHA-256 of the model's bytes as 64 hex digits, or nil.
    /// - Throws: `InterpreterError.tensorFlowLiteError` when one of them has another form.
    public init(directory: URL, modelHash: String? = nil) throws(InterpreterError) {
        guard directory.isFileURL else {
            throw .tensorFlowLiteError("The weight cache's folder needs a file URL; choose a folder on a disk.")
        }
        try self.init(directory: directory.path, modelHash: modelHash)
    }
}
