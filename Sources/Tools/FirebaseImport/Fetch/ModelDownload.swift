import Foundation
import HearthCrypto
import HearthFiles
import HearthTransport

/// Downloads the bytes of one model into its file: continues a part of them, and compares them with what the source says.
struct ModelDownload {
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

    /// The result: the hash of the bytes, and whether the source confirmed them.
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
            let response: TransportResponse
            do throws(FirebaseError) {
                response = try receive(call(), isFirst: attempt == 1)
            } catch {
                problem = error.message
                if error.code == .damaged {
                    try? DiskFiles().remove(partial)
                    continue
                }
                guard error.code == .refused, attempt < Self.damageLimit, renew(error) else { throw error }
                continue
            }
            let received = try FirebaseError.reading { () throws(FileError) in try FileDigest.sha256(partial).hex }
            let size = (try? DiskFiles().size(partial)) ?? 0
            if let wanted = expected.sizeBytes, wanted != size {
                problem = "\(size) bytes came, not \(wanted)"
            } else if let wanted = expected.sha256, wanted != received {
                problem = "the SHA-256 is \(received), not \(wanted)"
            } else if let named = GoogleHash(response.headers), try !named.matches(file: partial) {
                problem = "the checksum differs from the one that Google names"
            } else {
                try FirebaseError.reading { () throws(FileError) in
                    try DiskFiles().rename(partial, to: path)
                    try DiskFiles().synchronizeFolder(FilePath.folder(of: path))
                }
                return Result(
                    sha256: received, isConfirmed: expected.sha256 != nil || GoogleHash(response.headers) != nil)
            }
            try? DiskFiles().remove(partial)
        }
        throw FirebaseError(
            .damaged, "The bytes of \(name) are wrong after \(Self.damageLimit) downloads: \(problem).")
    }

    /// Receives what is missing of the file. Google's answers to a call for a range continue it.
    private func receive(
        _ call: FirebaseConnection.Call, isFirst: Bool
    ) throws(FirebaseError) -> TransportResponse {
        let file = try FirebaseError.reading { () throws(FileError) -> any WritableFile in
            if let file = try DiskFiles().appendFile(partial, mode: 0o644) { return file }
            throw FileError(.busy, "Another import writes \(partial); wait for it.")
        }
        var received = (try? DiskFiles().size(partial)) ?? 0
        if isFirst, received > 0 { connection.options.onNotice(.resumed(name: name, bytes: received)) }
        var isWanted = false
        var refusal: [UInt8] = []
        let limit = expected.sizeBytes
        let response = try connection.send(
            call,
            prepare: { request in
                if received > 0 { request.headers.append(("Range", "bytes=\(received)-")) }
            },
            onHead: { head in
                isWanted = head.status == 200 || head.status == 206
                refusal = []
                // The server ignores the range, or sends another one.
                if isWanted, received > 0, Self.start(head) != received {
                    try file.truncate(to: 0)
                    received = 0
                }
            },
            onBody: { bytes in
                guard isWanted else {
                    if refusal.count < 65_536 { refusal += bytes }
                    return
                }
                received += UInt64(bytes.count)
                guard received <= limit ?? .max else {
                    throw FirebaseError(.damaged, "More bytes of \(name) came than the source announces.")
                }
                try file.write(bytes)
                progress(received, limit)
            })
        // 416: everything was there already.
        guard [200, 206, 416].contains(response.status) else {
            var refused = response
            refused.body = refusal
            throw FirebaseError(refused, of: "the bytes of \(name)")
        }
        try FirebaseError.reading { () throws(FileError) in try file.synchronize() }
        return response
    }

    /// The first byte of an answer.
    private static func start(_ head: TransportResponseHead) -> UInt64 {
        guard head.status == 206, let range = head.headers["Content-Range"], range.hasPrefix("bytes ") else { return 0 }
        return UInt64(range.dropFirst(6).prefix { $0.isNumber }) ?? 0
    }
}
