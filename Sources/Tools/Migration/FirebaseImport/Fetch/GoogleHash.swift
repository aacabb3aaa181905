import Foundation
import HearthCrypto
import HearthTransport

/// The checksums that Cloud Storage names beside the bytes: `x-goog-hash: crc32c=AAAAAA==,md5=…`. They find damage.
struct GoogleHash {
    private let crc32c: CRC32C?
    private let md5: MD5Digest?

    /// Nil if there is none in a known form.
    init?(_ headers: TransportHeaders) {
        var values: [Substring: String] = [:]
        for part in headers.all("x-goog-hash").flatMap({ $0.split(separator: ",") }) {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { values[pair[0]] = String(pair[1]) }
        }
        crc32c = values["crc32c"].flatMap { CRC32C(base64: $0) }
        md5 = values["md5"].flatMap { MD5Digest(base64: $0) }
        guard crc32c != nil || md5 != nil else { return nil }
    }

    /// Whether the file has the checksums. A machine without MD5 compares only the other one.
    func matches(file path: String) throws(FirebaseError) -> Bool {
        var checksum = CRC32C()
        let hasher = md5 == nil ? nil : MD5Hasher()
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            while let bytes = try file.read(upToCount: 1 << 20), !bytes.isEmpty {
                bytes.withUnsafeBytes { piece in
                    checksum.update(piece)
                    hasher?.update(piece)
                }
            }
        } catch {
            throw FirebaseError(.invalidFile, "Cannot read \(path).", cause: error)
        }
        return (crc32c == nil || crc32c == checksum) && (md5 == nil || hasher == nil || md5 == hasher?.finalize())
    }
}
