package import HearthStorage
package import HearthTransport
import HearthWire

/// What a store says about an object.
package struct S3Object: Sendable, Hashable {
    /// Its key below the prefix of the configuration.
    package let name: String
    package let size: UInt64
    /// When it was last written, in seconds since 1970 by the store's clock.
    package let modifiedSeconds: Int64
    /// The store's name for these bytes (ETag), without quotes; nil if it gives none. Other bytes have another one.
    package let tag: String?

    /// The tag in a header field or a list.
    static func tag(_ text: String?) -> String? {
        guard let text, (1...200).contains(text.utf8.count) else { return nil }
        return text.filter { $0 != "\"" }
    }
}

/// Names are below the prefix of the configuration.
extension S3Client {
    /// Stores an object, or replaces it. It is visible completely or not at all.
    package func put(_ name: String, _ body: S3Call.Body) throws(StorageError) {
        var call = S3Call("PUT", configuration.key(name))
        call.body = body
        call.headers = [("Content-Type", "application/octet-stream")]
        _ = try send(call)
    }

    /// Reads an object, or some of its bytes, in pieces and in order. After a cut it goes on where it was.
    ///
    /// - Parameters:
    ///   - range: the first byte, and how many; nil for all.
    ///   - isUrgent: whether it gives up soon, because a device waits.
    ///   - onHead: gets the header fields of an answer with the whole object, before its first byte. What it throws ends the
    ///     transfer.
    ///   - receive: must not be called again for bytes that it refuses: what it throws ends the transfer.
    /// - Returns: how many bytes were read.
    @discardableResult
    package func get(
        _ name: String, range: Range<UInt64>? = nil, isUrgent: Bool = false,
        onHead: (TransportHeaders) throws -> Void = { _ in }, receive: (UnsafeRawBufferPointer) throws -> Void
    ) throws(StorageError) -> UInt64 {
        let start = range?.lowerBound ?? 0
        guard range?.isEmpty != true else { return 0 }
        var received: UInt64 = 0
        var countBefore: UInt64 = 0
        try retrying { delays throws(S3Failure) in
            // The connection may break after the last byte.
            if let range, received == range.upperBound - range.lowerBound { return }
            if received > countBefore { delays.reset() }
            countBefore = received
            var call = S3Call("GET", configuration.key(name))
            if range != nil || received > 0 {
                let last = range.map { String($0.upperBound - 1) } ?? ""
                call.headers = [("Range", "bytes=\(start + received)-\(last)")]
            }
            var skipped: UInt64 = 0
            _ = try receiveOnce(
                call, isUrgent: isUrgent,
                onHead: { head in
                    // A store that ignores ranges sends everything.
                    skipped = head.status == 200 ? start + received : 0
                    if range == nil, received == 0 { try onHead(head.headers) }
                    guard head.status == 206 else { return }
                    guard head.headers["content-range"]?.hasPrefix("bytes \(start + received)-") == true else {
                        throw StorageError(
                            .corrupt, "The model store (\(configuration.place)) sent other bytes than those asked for.")
                    }
                },
                onBody: { bytes in
                    let skip = min(skipped, UInt64(bytes.count))
                    skipped -= skip
                    let left = range.map { $0.upperBound - $0.lowerBound - received } ?? .max
                    let piece = bytes.dropFirst(Int(skip)).prefix(Int(clamping: left))
                    guard !piece.isEmpty else { return }
                    received += UInt64(piece.count)
                    try receive(UnsafeRawBufferPointer(rebasing: piece))
                })
        }
        return received
    }

    /// The object's size, age and tag; nil if there is none.
    ///
    /// - Parameter isUrgent: whether it gives up soon, because a device waits.
    package func head(_ name: String, isUrgent: Bool = false) throws(StorageError) -> S3Object? {
        let call = S3Call("HEAD", configuration.key(name))
        let seconds = isUrgent ? min(Self.urgentStallSeconds, configuration.timeoutSeconds) : nil
        do throws(StorageError) {
            let headers = try retrying { _ throws(S3Failure) in try sendOnce(call, timeoutSeconds: seconds) }.headers
            guard let size = headers["content-length"].flatMap({ UInt64($0) }),
                let modified = headers["last-modified"].flatMap(HTTPDate.seconds)
            else { throw malformed("no size or no time for an object") }
            return S3Object(
                name: name, size: size, modifiedSeconds: modified, tag: S3Object.tag(headers["etag"]))
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Deletes an object, if it exists.
    package func delete(_ name: String) throws(StorageError) {
        do { _ = try send(S3Call("DELETE", configuration.key(name))) } catch {
            guard error.code == .notFound else { throw error }
        }
    }

    /// All objects whose names begin with `prefix`, in the order of their keys.
    package func list(_ prefix: String) throws(StorageError) -> [S3Object] {
        var found: [S3Object] = []
        let base = configuration.key("")
        try pages([("prefix", configuration.key(prefix))]) { page throws(StorageError) in
            for entry in page.all("Contents") {
                guard let key = entry["Key"], key.hasPrefix(base), let size = entry["Size"].flatMap({ UInt64($0) }),
                    let modified = entry["LastModified"].flatMap(ISOTime.seconds)
                else { throw malformed("a list with an entry without a key below the prefix, a size or a time") }
                found.append(
                    S3Object(
                        name: String(key.dropFirst(base.count)), size: size, modifiedSeconds: modified,
                        tag: S3Object.tag(entry["ETag"])))
            }
        }
        return found
    }

    /// What stands between `prefix`, which ends with a slash, and the next slash of names.
    package func listFolders(_ prefix: String) throws(StorageError) -> [String] {
        let whole = configuration.key(prefix)
        var found: [String] = []
        try pages([("prefix", whole), ("delimiter", "/")]) { page throws(StorageError) in
            for entry in page.all("CommonPrefixes") {
                guard let text = entry["Prefix"], text.hasPrefix(whole), text.hasSuffix("/") else {
                    throw malformed("a list of folders outside the one asked for")
                }
                found.append(String(text.dropFirst(whole.count).dropLast()))
            }
        }
        return found
    }

    private func pages(
        _ query: [(String, String)], _ body: (XMLElement) throws(StorageError) -> Void
    ) throws(StorageError) {
        var call = S3Call("GET", nil)
        var token: String?
        while true {
            call.query = [("list-type", "2")] + query + (token.map { [("continuation-token", $0)] } ?? [])
            guard let page = XMLElement(document: try send(call).body), page.name == "ListBucketResult" else {
                throw malformed("no list of objects")
            }
            try body(page)
            guard page["IsTruncated"] == "true" else { return }
            guard let next = page["NextContinuationToken"], !next.isEmpty, next != token else {
                throw malformed("a list without an end")
            }
            token = next
        }
    }

    /// Copies an object inside the store, over another or over itself, after which it counts as just written.
    ///
    /// - Throws: `.notFound` if there is no object to copy.
    package func copy(_ name: String, to target: String, size: UInt64) throws(StorageError) {
        let source = PercentEncoding.encode("\(configuration.bucket)/\(configuration.key(name))", keepsSlashes: true)
        guard size <= Self.copyLimitBytes else { return try copyInParts(source, to: target, size: size) }
        var call = S3Call("PUT", configuration.key(target))
        // Without REPLACE, a store refuses to copy an object over itself.
        call.headers = [
            ("x-amz-copy-source", "/\(source)"), ("x-amz-metadata-directive", "REPLACE"),
            ("Content-Type", "application/octet-stream"),
        ]
        call.mayFailLate = true
        _ = try send(call)
    }

    /// Stores refuse to copy more than 5 GiB in one request.
    private static var copyLimitBytes: UInt64 { 4 << 30 }

    func malformed(_ what: String) -> StorageError {
        StorageError(
            .io,
            "The model store (\(configuration.place)) sent \(what). Check that the endpoint is an S3-compatible store.")
    }
}
