import HearthCatalog
import HearthHTTP
import HearthStorage

/// An upload in one request whose body holds JSON about the file before the file itself.
final class MultipartReceiver: BodyReceiver {
    let limitBytes: UInt64?
    private var blob: (any IncomingBlob)?
    private var parts: MultipartRelated
    private let desk: UploadDesk
    private var watch: RoomWatch
    private let head: RequestHead
    private let surface: UploadSurface
    private let complete: @Sendable (any IncomingBlob, MultipartRelated) throws -> UploadedObject

    /// - Parameter complete: called by a worker with all the bytes, and with what was said about them.
    init(
        _ desk: UploadDesk, _ head: RequestHead, _ surface: UploadSurface,
        complete: @escaping @Sendable (any IncomingBlob, MultipartRelated) throws -> UploadedObject
    ) throws {
        let limits = desk.services.limits
        parts = try MultipartRelated(
            contentType: head.headers["Content-Type"] ?? "", metadataLimitBytes: limits.uploadMetadataBytes)
        try desk.room.check(for: head.contentLength ?? 0)
        // Boundaries and headers of the parts come on top.
        limitBytes = limits.uploadBytes + UInt64(limits.uploadMetadataBytes) + 65_536
        blob = try desk.services.blobs.begin(limitBytes: limits.uploadBytes)
        self.desk = desk
        watch = RoomWatch(desk.room)
        self.head = head
        self.surface = surface
        self.complete = complete
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        do {
            try watch.add(bytes.count)
            try parts.consume(bytes) { try blob?.write($0) }
        } catch {
            throw RequestRefusal(surface.failure(head, error))
        }
    }

    func finish() -> Outcome {
        desk.deferred(head, surface, HandedOver(blob.take())) { [parts, complete] blob in
            try parts.finish()
            return .complete(try complete(blob, parts))
        }
    }

    func abandon() { blob = nil }
}
