import Dispatch
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthStorage
import HearthValidation
import HearthWire

/// Hearth's own upload: the body is the file, streamed. For the command line and for curl.
///
/// `POST /hearth/v1/projects/{project}/uploads?name=FILE` answers with the `gcsTfliteUri` to use in the management
/// calls. It names the bytes by their hash, so that of two uploads under one file name neither can take the other's place
/// between the upload and the call that uses it.
struct UploadRoutes {
    private let context: RouteContext
    /// Probing and committing wait for a child process and the disk: never on the HTTP server's threads.
    private let work = DispatchQueue(label: "app.hearth.uploads", attributes: .concurrent)

    init(_ context: RouteContext) { self.context = context }

    var routes: [Route] {
        [
            Route(.post, "hearth/v1/projects/{project}/uploads") { head, path in
                do {
                    let call = try context.admin(head, project: path["project"], atLeast: .publisher)
                    return .streaming(try receiver(head, call))
                } catch {
                    return .answer(context.failure(head, error))
                }
            }
        ]
    }

    private func receiver(_ head: RequestHead, _ call: AdminCall) throws -> UploadReceiver {
        let limit = context.services.limits.uploadBytes
        if let length = head.contentLength, length > limit {
            throw APIError(.invalidArgument, "The file is larger than \(limit) bytes.", httpStatus: 413)
        }
        let name = head.query.first("name") ?? "model.tflite"
        guard Names.isObjectName(name), !name.contains("/"), name.utf8.count <= 200 else {
            throw APIError(.invalidArgument, "The query item 'name' must be a plain file name.")
        }
        let blob = try context.services.blobs.begin(limitBytes: limit)
        return UploadReceiver(
            blob: blob, limitBytes: limit, head: head, fileName: name, call: call, context: context, work: work)
    }
}

/// One upload on its way: bytes go to quarantine while they arrive; then the probe looks at them.
private final class UploadReceiver: BodyReceiver {
    let limitBytes: UInt64?
    /// Until the job takes it over, or the upload breaks off.
    private var blob: (any IncomingBlob)?
    private let head: RequestHead
    private let fileName: String
    private let call: AdminCall
    private let context: RouteContext
    private let work: DispatchQueue

    init(
        blob: any IncomingBlob, limitBytes: UInt64, head: RequestHead, fileName: String, call: AdminCall,
        context: RouteContext, work: DispatchQueue
    ) {
        self.blob = blob
        self.limitBytes = limitBytes
        self.head = head
        self.fileName = fileName
        self.call = call
        self.context = context
        self.work = work
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws(RequestRefusal) {
        do {
            try blob?.write(bytes)
        } catch {
            throw RequestRefusal(context.failure(head, error))
        }
    }

    func finish() -> Outcome {
        let job = UploadJob(blob: blob.take(), fileName: fileName, call: call, services: context.services)
        let (head, context, work) = (head, context, work)
        return .deferred { reply in
            work.async {
                do {
                    let object = try job.run()
                    let services = context.services
                    services.validation.whenDone(
                        object.sha256, withinSeconds: services.limits.validationWaitSeconds
                    ) { _ in
                        reply.resolve(
                            with: context.respond(head) { try context.json(try UploadJob.answer(object, services)) })
                    }
                } catch {
                    reply.resolve(with: context.failure(head, error))
                }
            }
        }
    }

    /// The quarantined bytes go with the blob.
    func abandon() { blob = nil }
}

/// What happens to a complete upload: durable, probed, visible, recorded.
///
/// `@unchecked Sendable`: the blob is not thread safe, but it changes hands once. The receiver gives it up when the last
/// byte is in; the one worker that runs the job is the only user of it, and of the variable, then.
private final class UploadJob: @unchecked Sendable {
    private var blob: (any IncomingBlob)?
    private let fileName: String
    private let call: AdminCall
    private let services: Services

    init(blob: (any IncomingBlob)?, fileName: String, call: AdminCall, services: Services) {
        self.blob = blob
        self.fileName = fileName
        self.call = call
        self.services = services
    }

    /// Once. When it returns, the bytes are in the store and recorded, or gone.
    func run() throws -> UploadedObject {
        guard let blob = blob.take() else { throw StorageError(.io, "The upload is over") }
        let digest = try blob.seal()
        let record = UploadedObject(
            projectID: call.project.id, bucket: "\(call.project.id).hearth",
            name: "Firebase/ML/Models/\(digest.hex)/\(fileName)", sha256: digest.hex, sizeBytes: blob.size,
            crc32c: 0, createdMicroseconds: services.now().microseconds)
        _ = try services.validation.admit(digest, sizeBytes: blob.size, commit: { try blob.commit() }) { store in
            try store.put(record)
            try store.append(
                AuditEntry(
                    projectID: call.project.id, actor: call.actor, action: "file.upload", subject: record.uri,
                    detail: "\(record.sizeBytes) bytes \(record.sha256)",
                    atMicroseconds: record.createdMicroseconds))
        }
        return record
    }

    /// What the uploader is told: a check that takes longer goes on without them.
    static func answer(_ object: UploadedObject, _ services: Services) throws -> UploadResource {
        let known = try services.metadata.read { try $0.validation(sha256: object.sha256) }
        return resource(object, known?.verdict ?? .pending)
    }

    private static func resource(_ object: UploadedObject, _ verdict: Verdict) -> UploadResource {
        var error: RPCStatus?
        var warning: String?
        switch verdict {
        case .pending, .ok: break
        case .unsupported(let message): warning = message
        case .malformed(let message): error = RPCStatus(.invalidArgument, message)
        }
        return UploadResource(
            gcsTfliteUri: object.uri, sizeBytes: String(object.sizeBytes), sha256: object.sha256,
            validationError: error, warning: warning)
    }
}
