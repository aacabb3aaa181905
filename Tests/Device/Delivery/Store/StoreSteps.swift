import HearthCrypto
import HearthFiles
import Testing

@testable import HearthDelivery

/// Operations of tests on a store, in one line each.
extension DeviceStore {
    init(_ folder: String) throws { try self.init(folder: folder, files: DiskFiles()) }

    func begin(_ bytes: [UInt8], as name: String = "digits") throws -> PartialFile {
        try begin(name: name, digest: SHA256Hasher.hash(bytes), size: UInt64(bytes.count))
    }

    /// Downloads the missing bytes, 1000 at a time, and installs the model.
    @discardableResult
    func install(_ bytes: [UInt8], as name: String = "digits", version: Int? = nil) throws -> CustomModel {
        let file = try begin(bytes, as: name)
        try file.add(bytes)
        return try install(file, name: name, version: version)
    }

    func reject(_ bytes: [UInt8], of name: String = "digits", reason: String = "no") throws -> CustomModel? {
        try reject(SHA256Hasher.hash(bytes), of: name, reason: reason)
    }

    func rejectionReason(_ bytes: [UInt8], of name: String = "digits") throws -> String? {
        try rejectionReason(SHA256Hasher.hash(bytes), of: name)
    }

    /// The bytes of the installed model; nil when no whole one is installed.
    func contents(_ name: String = "digits") throws -> [UInt8]? {
        if case .installed(let model) = try find(name) { model.contents } else { nil }
    }
}

extension PartialFile {
    /// Appends the missing part of `bytes`, up to this many bytes.
    func add(_ bytes: [UInt8], upTo end: Int = .max) throws {
        let end = min(end, bytes.count)
        for start in stride(from: Int(size), to: end, by: 1000) {
            try bytes[start..<min(start + 1000, end)].withUnsafeBytes { try write($0) }
        }
    }
}

/// The code of the `FileError` that `body` throws; nil when it throws none.
func fileErrorCode(_ body: () throws -> Void) -> FileError.Code? { fileError(body)?.code }

/// The `FileError` that `body` throws; nil when it throws none.
func fileError(_ body: () throws -> Void) -> FileError? {
    do {
        try body()
        return nil
    } catch {
        let error = error as? FileError
        #expect(error != nil, "only file errors may come out")
        #expect(error?.message.contains("\n") == false)
        return error
    }
}
