import HearthCrypto
package import HearthStorage
import HearthTransport

/// An upload in parts that was begun and neither completed nor aborted.
package struct S3PartUpload: Sendable, Hashable {
    /// The whole key.
    let key: String
    let id: String
    package let startedSeconds: Int64
}

/// Objects that are too large for one request. They are not visible before the last step.
extension S3Client {
    /// Stores a file in parts. After a failure, the store keeps none of them.
    ///
    /// - Parameter partBytes: the length of a part; 0 for `partBytes(of:)`.
    package func putInParts(
        _ name: String, path: String, size: UInt64, partBytes: UInt64 = 0
    ) throws(StorageError) {
        try upload(name, size: size, partBytes: partBytes == 0 ? Self.partBytes(of: size) : partBytes) {
            (call: inout S3Call, part) throws(StorageError) in
            let hash = try FileRange.sha256(path, part)
            call.body = .file(
                path: path, offset: part.lowerBound, length: part.upperBound - part.lowerBound, sha256: hash)
            guard let tag = try send(call).headers["etag"] else { throw malformed("no ETag for a part") }
            return tag
        }
    }

    /// - Parameter source: bucket and key, encoded.
    func copyInParts(
        _ source: String, to target: String, size: UInt64, partBytes: UInt64 = 1 << 30
    ) throws(StorageError) {
        try upload(target, size: size, partBytes: max(partBytes, size / Self.maxParts + 1)) {
            (call: inout S3Call, part) throws(StorageError) in
            call.headers = [
                ("x-amz-copy-source", "/\(source)"),
                ("x-amz-copy-source-range", "bytes=\(part.lowerBound)-\(part.upperBound - 1)"),
            ]
            call.mayFailLate = true
            guard let tag = XMLElement(document: try send(call).body)?["ETag"] else {
                throw malformed("no ETag for a part")
            }
            return tag
        }
    }

    private static let maxParts: UInt64 = 10_000

    /// How long the parts of an object are: 32 MiB, or longer where there would be more than 10,000.
    static func partBytes(of size: UInt64) -> UInt64 { max(32 << 20, size / maxParts + 1) }

    /// - Parameter send: sends one part, for which it gets a prepared request, and returns its tag.
    private func upload(
        _ name: String, size: UInt64, partBytes: UInt64,
        _ send: (inout S3Call, Range<UInt64>) throws(StorageError) -> String
    ) throws(StorageError) {
        let id = try begin(name)
        do {
            var tags: [String] = []
            for start in stride(from: 0, to: size, by: Int(partBytes)) {
                var call = S3Call("PUT", configuration.key(name))
                call.query = [("partNumber", String(tags.count + 1)), ("uploadId", id)]
                tags.append(try send(&call, start..<min(start + partBytes, size)))
            }
            try complete(name, id, tags, size: size)
        } catch {
            // Once only: the store may be away. If this fails too, `abortAbandonedParts` finds the upload.
            _ = try? sendOnce(abortion(of: configuration.key(name), id))
            throw error
        }
    }

    private func begin(_ name: String) throws(StorageError) -> String {
        var call = S3Call("POST", configuration.key(name))
        call.query = [("uploads", "")]
        call.headers = [("Content-Type", "application/octet-stream")]
        guard let id = XMLElement(document: try send(call).body)?["UploadId"], !id.isEmpty else {
            throw malformed("no id for an upload in parts")
        }
        return id
    }

    private func complete(_ name: String, _ id: String, _ tags: [String], size: UInt64) throws(StorageError) {
        var call = S3Call("POST", configuration.key(name))
        call.query = [("uploadId", id)]
        call.mayFailLate = true
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escaped(tag))</ETag></Part>"
        }
        call.body = .bytes(Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8))
        do { _ = try send(call) } catch {
            // A try whose answer was lost may have succeeded, after which the upload no longer exists.
            guard error.code == .notFound else { throw error }
        }
        guard try head(name)?.size == size else {
            throw StorageError(
                .corrupt, "The model store (\(configuration.place)) did not join the parts of an object. Try again.")
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }

    private func abortion(of key: String, _ id: String) -> S3Call {
        var call = S3Call("DELETE", key)
        call.query = [("uploadId", id)]
        return call
    }

    /// The uploads in parts below the prefix that are not finished.
    package func unfinishedParts() throws(StorageError) -> [S3PartUpload] {
        var (found, marker) = ([S3PartUpload](), [(String, String)]())
        while true {
            var call = S3Call("GET", nil)
            call.query = [("uploads", ""), ("prefix", configuration.key(""))] + marker
            guard let page = XMLElement(document: try send(call).body), page.name == "ListMultipartUploadsResult"
            else { throw malformed("no list of uploads in parts") }
            for entry in page.all("Upload") {
                guard let key = entry["Key"], let id = entry["UploadId"],
                    let started = entry["Initiated"].flatMap(ISOTime.seconds)
                else { throw malformed("a list of uploads with an entry that has no key, id or time") }
                found.append(S3PartUpload(key: key, id: id, startedSeconds: started))
            }
            guard page["IsTruncated"] == "true" else { return found }
            let next = [
                ("key-marker", page["NextKeyMarker"] ?? ""), ("upload-id-marker", page["NextUploadIdMarker"] ?? ""),
            ]
            guard !next.allSatisfy({ $0.1.isEmpty }), next.map(\.1) != marker.map(\.1) else {
                throw malformed("a list without an end")
            }
            marker = next
        }
    }

    /// Aborts uploads in parts that nobody has finished for so long that their server must have died. Returns how many.
    package func abortAbandonedParts(olderThanSeconds age: Int64 = 86_400) throws(StorageError) -> Int {
        let old = try unfinishedParts().filter { $0.startedSeconds < now() - age }
        for upload in old {
            do { _ = try send(abortion(of: upload.key, upload.id)) } catch {
                // Another server was faster.
                guard error.code == .notFound else { throw error }
            }
        }
        return old.count
    }
}
