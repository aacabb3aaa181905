import Foundation
import HearthCrypto
import HearthFiles
import Testing

/// Another process that holds the lock on a file until it is told to end.
final class LockingProcess {
    private let process = Process()
    private let input = Pipe()

    /// Returns when the lock is held.
    init(_ path: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = ["--no-fork", path, "sh", "-c", "echo locked; exec cat"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        #expect(output.fileHandleForReading.readData(ofLength: 6) == Data("locked".utf8))
    }

    /// Lets it end by itself.
    func finish() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    deinit {
        if process.isRunning { kill() }
    }
}

/// The code of the `FileError` that `body` throws; nil when it throws none.
func fileErrorCode(_ body: () throws -> Void) -> FileError.Code? {
    do {
        try body()
        return nil
    } catch {
        let error = error as? FileError
        #expect(error != nil, "only file errors may come out")
        #expect(error?.message.contains("\n") == false)
        return error?.code
    }
}

extension ContentStore {
    /// Reads the file again and compares length and hash: false when it is damaged or missing.
    func isWhole(_ digest: SHA256Digest, size: UInt64) throws(FileError) -> Bool {
        guard try DiskFiles().size(path(of: digest)) == size else { return false }
        return try FileDigest.sha256(path(of: digest)) == digest
    }
}
