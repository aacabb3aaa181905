import Foundation
import HearthCrypto
import HearthFiles
import HearthTransport

/// Downloads the bytes of one model into its file: continues a part of them, and compares them with what the source says.
struct ModelFileDownload {
    /// What the source says about the bytes.
    struct Expectation {
        /// The SHA-256; nil if the source names none in a known form.
        var sha256: String?
        var sizeBytes: UInt64?
        /// Tells the bytes of one version of the file from another's, for the name of the unfinished file.
        var identity: String

        /// - Parameter hash: as the source writes it: 64 hexadecimal digits, or the 32 bytes in Base64.
        init(hash: String?, sizeBytes: UInt64?, identity: String) {
            sha256 = hash.flatMap(Self.sha256)
            self.sizeBytes = sizeBytes
            self.identity = identity
        }

        static func sha256(_ text: String) -> String? {
            var bare = text.hasPrefix("W/") ? String(text.dropFirst(2)) : text
            if bare.hasPrefix("\""), bare.hasSuffix("\""), bare.utf8.count > 1 {
                bare = String(bare.dropFirst().dropLast())
            }
            if bare.utf8.count == 64, bare.allSatisfy(\.isHexDigit) { return bare.lowercased() }
            if let data = Data(base64Encoded: bare), data.count == 32 {
                return data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
            return nil
        }
    }

    /// The result: the hash of the bytes, and whether the source confirms it.
    struct Result {
        var sha256: String
        /// False if the source names neither a hash nor a checksum.
        var isConfirmed: Bool
    }

    let connection: FirebaseConnection
    /// The file that appears when all of it is there and right.
    let path: String
    let name: String
    let expected: Expectation
    let progress: (_ received: UInt64, _ total: UInt64?) -> Void

    private static let damageLimit = 5
    /// A file of unknown size may not fill the disk; no model is larger.
    private static let largestModelBytes: UInt64 = 4 << 30
    /// A broken transfer that brought as much does not count as a failed attempt.
    private static let progressBytes: UInt64 = 64 << 10

    private var partial: String {
        let mark = SHA256Hasher.hash(Array(expected.identity.utf8)).hex.prefix(12)
        return "\(path).\(mark).partial"
    }

    /// - Parameters:
    ///   - renew: called after a refusal; returns whether the next call may succeed, with a new token or a new address.
    ///   - call: makes the call for the bytes.
    /// - Throws: `damaged` if the bytes are wrong again and again; what the connection throws.
    func run(
        renew: (FirebaseError) -> Bool = { _ in false }, _ call: () throws(FirebaseError) -> FirebaseConnection.Call
    ) throws(FirebaseError) -> Result {
        // Without a hash nothing would tell whether an earlier run's bytes belong to the same file.
        if expected.sha256 == nil { try? DiskFiles().remove(partial) }
        var problem = ""
        for attempt in 1...Self.damageLimit {
            let checksums: GoogleHash?
            do throws(FirebaseError) {
                checksums = try receive(call(), isFirst: attempt == 1)
            } catch {
                problem = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
                if error.code == .damaged {
                    try? DiskFiles().remove(partial)
                    continue
                }
                guard error.code == .refused, attempt < Self.damageLimit, renew(error) else { throw error }
                continue
            }
            let received = try FirebaseError.mappingFileError { () throws(FileError) in
                try FileDigest.sha256(partial).hex
            }
            let size = (try? DiskFiles().size(partial)) ?? 0
            if let wanted = expected.sizeBytes, wanted != size {
                problem = "\(size) bytes came, not \(wanted)"
            } else if let wanted = expected.sha256, wanted != received {
                problem = "the SHA-256 is \(received), not \(wanted)"
            } else if let checksums, try !checksums.matches(file: partial) {
                problem = "the checksum differs from the one that Google names"
            } else if expected.sha256 == nil, checksums == nil, HostedModelsFolder.isMarkup(partial) {
                problem = "a web page or an error message came instead of a model"
            } else {
                try FirebaseError.mappingFileError { () throws(FileError) in
                    try DiskFiles().rename(partial, to: path)
                    try DiskFiles().synchronizeFolder(FilePath.folder(of: path))
                }
                return Result(sha256: received, isConfirmed: expected.sha256 != nil || checksums != nil)
            }
            try? DiskFiles().remove(partial)
        }
        throw FirebaseError(
            .damaged, "The bytes of \(name) are wrong after \(Self.damageLimit) downloads: \(problem).")
    }

    /// Receives what is missing of the file. Google's answers to a call for a range continue it.
    ///
    /// - Returns: the checksums of the whole file, if Google named any.
    private func receive(_ call: FirebaseConnection.Call, isFirst: Bool) throws(FirebaseError) -> GoogleHash? {
        let file = try FirebaseError.mappingFileError { () throws(FileError) -> any WritableFile in
            if let file = try DiskFiles().appendFile(partial, mode: 0o600) { return file }
            throw FileError(.busy, "Another import writes \(partial); wait for it.")
        }
        var received = (try? DiskFiles().size(partial)) ?? 0
        if isFirst, received > 0 { connection.options.onNotice(.resumed(name: name, bytes: received)) }
        var most = received
        var generation: String?
        var checksums: GoogleHash?
        let limit = expected.sizeBytes
        let receiver = FirebaseConnection.Receiver(
            prepare: { request in
                if received > 0 { request.headers.append(("Range", "bytes=\(received)-")) }
            },
            onHead: { head in
                // Parts of two files must not become one.
                let next = head.headers["x-goog-generation"]
                defer { generation = next ?? generation }
                checksums = GoogleHash(head.headers) ?? checksums
                if received > 0, head.status == 206, let generation, let next, next != generation {
                    throw FirebaseError(.damaged, "The file of \(name) was replaced during the download.")
                }
                // The server ignores the range, or sends another one.
                guard received > 0, Self.start(head) != received else { return }
                try file.truncate(to: 0)
                received = 0
            },
            onBody: { bytes in
                received += UInt64(bytes.count)
                guard received <= limit ?? Self.largestModelBytes else {
                    throw FirebaseError(.damaged, "More bytes of \(name) came than the source announces.")
                }
                try file.write(bytes)
                progress(received, limit)
            },
            hasProgressed: {
                defer { most = max(most, received) }
                return received >= most + Self.progressBytes
            })
        let response = try connection.send(call, to: receiver)
        if response.status == 416, received > 0 {
            try checkEnd(response, received)
        } else if ![200, 206].contains(response.status) {
            throw FirebaseError(response, of: "the bytes of \(name)")
        }
        try FirebaseError.mappingFileError { () throws(FileError) in try file.synchronize() }
        return checksums
    }

    /// A range that begins at the end of the file is refused: everything was there already. Where neither a hash nor a size is
    /// known, the answer must say so.
    private func checkEnd(_ response: TransportResponse, _ received: UInt64) throws(FirebaseError) {
        let total = response.headers["Content-Range"]?.split(separator: "/").last.flatMap { UInt64($0) }
        let isComplete = total.map { $0 == received } ?? (expected.sha256 != nil || expected.sizeBytes != nil)
        guard isComplete else {
            throw FirebaseError(.damaged, "The part of \(name) that is here does not belong to Google's file.")
        }
    }

    /// The first byte of an answer.
    private static func start(_ head: TransportResponseHead) -> UInt64 {
        guard head.status == 206, let range = head.headers["Content-Range"], range.hasPrefix("bytes ") else { return 0 }
        return UInt64(range.dropFirst(6).prefix { $0.isNumber }) ?? 0
    }
}
