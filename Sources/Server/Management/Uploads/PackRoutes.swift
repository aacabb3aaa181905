import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthValidation
import HearthWire

/// Packs an uploaded zip of a model with its labels, such as an export of AutoML, into one model file, as `hearth pack`
/// does. The zip stays until it expires, so that a call whose answer was lost can be repeated.
///
/// `POST /hearth/v1/projects/{project}/uploads:pack` with `{"source": "gs://…"}` answers as the upload of the packed
/// file would. A file that is no zip is answered as it is.
struct PackRoutes {
    private let uploads: UploadService
    private let queue: PackQueue
    private let responder: UploadResponder

    init(_ uploads: UploadService, _ queue: PackQueue) {
        self.uploads = uploads
        self.queue = queue
        responder = UploadRoutes(uploads).responder
    }

    private var context: RouteContext { uploads.context }

    var routes: [CallRoute] {
        [
            CallRoute(UploadCalls.pack) { head, path in
                context.buffered(
                    head, check: { try context.adminCall(head, project: path["project"], atLeast: .publisher) }
                ) { call, head, bytes in
                    try pack(call, head, bytes)
                }
            }
        ]
    }

    private func pack(_ call: AdminCall, _ head: RequestHead, _ bytes: [UInt8]) throws -> Outcome {
        let body = try RequestJSON.decode(UploadBodies.PackRequest.self, bytes, what: "a request to pack a file")
        let source = try context.briefly {
            try UploadedFile.find(body.source, in: call.project.id, $0).object
        }
        guard let digest = SHA256Digest(hex: source.sha256) else {
            throw StorageError(.corrupt, "\(source.uri) has no hash")
        }
        guard let place = queue.place(of: call.project.id) else {
            var error = APIError(.resourceExhausted, "Too many files wait or are packed; try again in a moment.")
            error.retryAfterSeconds = queue.limits.retryAfterSeconds
            throw error
        }
        try uploads.diskReserve.check(for: source.sizeBytes)
        let target = PackTarget(
            try uploads.services.blobs.begin(limitBytes: uploads.services.limits.uploadBytes),
            DiskReserveMonitor(uploads.diskReserve))
        return .deferred { [self] reply in
            queue.pack(digest, in: place, write: { try target.write($0) }) { result in
                do {
                    let object = try uploadedObject(result, source, target, by: call.actor)
                    uploads.validation.whenDone(object.sha256, withinSeconds: responder.waitSeconds) { _ in
                        reply.resolve(with: responder.respond(head) { try responder.success(object) })
                    }
                } catch {
                    reply.resolve(with: responder.failure(head, error))
                }
            }
        }
    }

    private func uploadedObject(
        _ result: Result<PackQueue.PackedFile, any Error>, _ source: UploadedObject, _ target: PackTarget,
        by actor: String
    ) throws -> UploadedObject {
        do {
            guard case .packed = try result.get() else { return source }
        } catch let error as ProbeFailure {
            switch error.reason {
            // The log gets the cause.
            case .machine: throw error
            case .model:
                let text = "The file cannot be packed: \(error.message)"
                throw APIError.invalid("source", text, message: text)
            case .stop: throw APIError(.unavailable, error.message)
            }
        }
        return try target.complete { blob in
            try uploads.completion.complete(
                blob, as: .namedAfterHash(project: source.projectID, fileName: Self.packedName(of: source.name)),
                expecting: ExpectedChecksums(), by: actor)
        }
    }

    /// `flowers.tflite` for `Firebase/ML/Models/…/flowers.zip`.
    static func packedName(of name: String) -> String {
        var stem = name.split(separator: "/").last.map(String.init) ?? ""
        if stem.lowercased().hasSuffix(".zip") { stem.removeLast(4) }
        while stem.utf8.count > 190 { stem.removeLast() }
        return (stem.isEmpty ? "model" : stem) + ".tflite"
    }
}

/// Where the packed model's bytes go, in quarantine until they are complete.
///
/// `@unchecked Sendable`: the route's thread makes it and gives it to the queue, whose one thread for this file then is
/// the only one that uses it.
private final class PackTarget: @unchecked Sendable {
    private let blob: any IncomingBlob
    private var watch: DiskReserveMonitor

    init(_ blob: any IncomingBlob, _ watch: DiskReserveMonitor) {
        self.blob = blob
        self.watch = watch
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try watch.add(bytes.count)
        try blob.write(bytes)
    }

    func complete(_ body: (any IncomingBlob) throws -> UploadedObject) throws -> UploadedObject { try body(blob) }
}
