import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// One request of a resumable upload.
///
/// Bytes that arrived are kept even if the connection breaks: the next request continues after them.
final class ChunkReceiver: BodyReceiver {
    /// The chunk's position in the file.
    struct Position: Sendable {
        /// How many bytes at its beginning arrived before.
        var skipped: UInt64
        /// The length of the chunk; nil if unknown.
        var length: UInt64?
        /// The length of the whole file; nil if unknown.
        var total: UInt64?

        init(_ step: UploadStep) {
            switch step {
            case .append(let skipped, let length, let total):
                (self.skipped, self.length, self.total) = (skipped, length, total)
            case .complete(let total): (skipped, length, self.total) = (0, 0, total)
            case .report: (skipped, length, total) = (0, 0, nil)
            }
        }
    }

    let limitBytes: UInt64?
    private var upload: LeasedUpload?
    private var arrived: UInt64 = 0
    private let place: Position
    private let session: UploadSession
    private let expected: ExpectedChecksums
    private let uploads: UploadService
    private var watch: DiskReserveMonitor
    private let head: RequestHead
    private let responder: UploadResponder

    init(
        _ upload: LeasedUpload, of session: UploadSession, at place: Position, expecting expected: ExpectedChecksums,
        _ uploads: UploadService, _ head: RequestHead, _ responder: UploadResponder
    ) {
        limitBytes = uploads.services.limits.uploadBytes
        self.upload = upload
        self.place = place
        self.session = session
        self.expected = expected
        self.uploads = uploads
        watch = DiskReserveMonitor(uploads.diskReserve)
        self.head = head
        self.responder = responder
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        do {
            let count = UInt64(bytes.count)
            guard count <= (place.length ?? .max) - arrived else {
                throw APIError(.invalidArgument, "The body is longer than Content-Range says.")
            }
            let skipped = min(count, place.skipped - min(arrived, place.skipped))
            arrived += count
            try watch.add(bytes.count - Int(skipped))
            try upload?.blob.write(UnsafeRawBufferPointer(rebasing: bytes[Int(skipped)...]))
        } catch {
            throw RequestRefusal(responder.failure(head, error))
        }
    }

    func finish() -> Outcome {
        let (session, place, arrived, expected, uploads) = (session, place, arrived, expected, uploads)
        return uploads.deferred(head, responder, SendableBox(upload.take())) { upload in
            let blob = upload.blob
            // Without a length, the end of the body is the end of the file.
            let total = place.length == nil ? blob.size : place.total
            guard place.length != nil || arrived >= place.skipped else {
                throw APIError(.invalidArgument, "The file is shorter than the \(blob.size) bytes that have arrived.")
            }
            try blob.synchronize()
            let session = try uploads.sessions.advance(session, to: blob.size, total: total)
            guard blob.size == total else { return .inProgress(receivedBytes: blob.size) }
            return .complete(try uploads.complete(blob, of: session, expecting: expected))
        }
    }

    func abandon() {
        let (session, place, uploads) = (session, place, uploads)
        let upload = SendableBox(upload.take())
        uploads.runInBackground {
            guard let upload = upload.take() else { return }
            // Until the record includes these bytes, the lease is held, and requests for the progress get 503.
            withExtendedLifetime(upload.lease) { Self.keep(upload.blob, of: session, at: place, uploads) }
        }
    }

    private static func keep(
        _ blob: any ResumedBlob, of session: UploadSession, at place: Position, _ uploads: UploadService
    ) {
        guard blob.size > session.receivedBytes else { return }
        do {
            try blob.synchronize()
            _ = try uploads.sessions.advance(session, to: blob.size, total: place.total)
        } catch {
            uploads.context.log("an upload's last bytes are not kept: \(error)")
        }
    }
}
