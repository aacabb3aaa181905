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
                    let call = try context.admin(head, project: path["project"])
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
                reply.resolve(with: context.respond(head) { try context.json(try job.run()) })
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

    /// Once. When it returns, the quarantined bytes are in the store or gone.
    func run() throws -> UploadResource {
        guard let blob = blob.take() else { throw StorageError(.io, "The upload is over") }
        let digest = try blob.seal()
        let report = try probe(blob)
        let verdict = Self.verdict(report)
        // A malformed file is remembered by its hash and verdict; nobody can ever need its bytes.
        if verdict.isPublishable { try blob.commit() }
        let record = UploadedObject(
            projectID: call.project.id, bucket: "\(call.project.id).hearth",
            name: "Firebase/ML/Models/\(digest.hex)/\(fileName)", sha256: digest.hex, sizeBytes: blob.size,
            crc32c: 0, createdMicroseconds: services.now().microseconds)
        let validation = Validation(
            sha256: digest.hex, sizeBytes: blob.size, verdict: verdict, contractJSON: try Self.contractJSON(report),
            requestedMicroseconds: record.createdMicroseconds, finishedMicroseconds: services.now().microseconds)
        try services.metadata.write { store in
            try store.put(record)
            try store.put(validation)
            try store.append(
                AuditEntry(
                    projectID: call.project.id, actor: call.actor, action: "file.upload", subject: record.uri,
                    detail: "\(record.sizeBytes) bytes \(record.sha256)",
                    atMicroseconds: record.createdMicroseconds))
        }
        return Self.resource(record, verdict)
    }

    private func probe(_ blob: any IncomingBlob) throws -> ProbeReport {
        let descriptor = OwnedDescriptor(takingOwnershipOf: try blob.openForInspection())
        return try services.validator.report(descriptor: descriptor.rawValue)
    }

    private static func verdict(_ report: ProbeReport) -> Verdict {
        switch report.verdict {
        case .ok: .ok
        case .unsupported: .unsupported(report.message ?? "")
        case .malformed: .malformed(report.message ?? "")
        }
    }

    private static func contractJSON(_ report: ProbeReport) throws -> String? {
        try report.contract.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
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
