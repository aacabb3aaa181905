import Foundation
import HearthCrypto
import HearthStorage

/// Whether an object has the bytes of a file, as far as the store's tag shows it.
enum ObjectTag {
    /// Most stores make the tag of an object of its MD5, and that of an object in parts of the MD5s of its parts. A store
    /// that encrypts may make it of something else; such a tag is that of no file.
    ///
    /// - Parameter path: of a file with `size` bytes.
    static func isThat(of path: String, size: UInt64, _ tag: String?) throws(StorageError) -> Bool {
        guard let words = tag?.split(separator: "-", omittingEmptySubsequences: false), let hex = words.first,
            let expected = Hex.decode(String(hex))
        else { return false }
        if words.count == 1 { return try FileRange.md5(path, 0..<size)?.bytes == expected }
        let length = S3Client.partBytes(of: size)
        let starts = stride(from: 0, to: size, by: Int(length))
        guard words.count == 2, words[1] == String(Array(starts).count), let hasher = MD5Hasher() else { return false }
        for start in starts {
            guard let part = try FileRange.md5(path, start..<min(start + length, size)) else { return false }
            part.bytes.withUnsafeBytes { hasher.update($0) }
        }
        return hasher.finalize().bytes == expected
    }
}

extension MD5Digest {
    fileprivate var bytes: [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }
}
