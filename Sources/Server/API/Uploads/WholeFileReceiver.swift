import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// An upload in one request: the bytes go to quarantine while they arrive.
final class WholeFileReceiver: BodyReceiver {
    let limitBytes: UInt64?
    /// Until the worker takes it over, or the upload breaks off.
    private var blob: (any IncomingBlob)?
    private let desk: UploadDesk
    private var watch: RoomWatch
    private let head: RequestHead
    private let surface: UploadSurface
    private let complete: @Sendable (any IncomingBlob) throws -> UploadedObject

    /// - Parameter complete: called by a worker with all the bytes.
    init(
        _ desk: UploadDesk, _ head: RequestHead, _ surface: UploadSurface,
        complete: @escaping @Sendable (any IncomingBlob) throws -> UploadedObject
    ) throws {
        let limit = desk.services.limits.uploadBytes
        if let length = head.contentLength, length > limit {
            throw APIError(.invalidArgument, "The file is larger than \(limit) bytes.", httpStatus: 413)
        }
        try desk.room.check(for: head.contentLength ?? 0)
        limitBytes = limit
        blob = try desk.services.blobs.begin(limitBytes: limit)
        self.desk = desk
        watch = RoomWatch(desk.room)
        self.head = head
        self.surface = surface
        self.complete = complete
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        do {
            try watch.add(bytes.count)
            try blob?.write(bytes)
        } catch {
            throw RequestRefusal(surface.failure(head, error))
        }
    }

    func finish() -> Outcome {
        desk.deferred(head, surface, HandedOver(blob.take())) { [complete] in .complete(try complete($0)) }
    }

    /// The quarantined bytes go with the blob.
    func abandon() { blob = nil }
}
