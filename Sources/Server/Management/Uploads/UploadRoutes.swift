import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Hearth's own upload: the body is the file, streamed. For the command line and for curl.
///
/// `POST /hearth/v1/projects/{project}/uploads?name=FILE` answers with the `gcsTfliteUri` for the management calls. It
/// also answers with the result of the file's validation, if there is one in time. With `resumable=true` it answers
/// with the address for the bytes, which one or more PUTs send, as in Google's storage API.
struct UploadRoutes {
    private let uploads: UploadService
    let responder: UploadResponder

    init(_ uploads: UploadService) {
        self.uploads = uploads
        let context = uploads.context
        responder = UploadResponder(
            waitSeconds: uploads.services.limits.validationWaitSeconds,
            success: { object in
                let known = try uploads.sessions.validation(of: object)
                return try context.json(Self.resource(object, known?.verdict ?? .pending))
            },
            failure: { head, error in context.failure(head, error) })
    }

    var routes: [CallRoute] {
        [
            CallRoute(UploadCalls.send) { head, path in planned(head) { try begin(head, path["project"]) } },
            CallRoute(UploadCalls.sendPart) { head, path in planned(head) { try put(head, path["project"]) } },
            CallRoute(UploadCalls.cancel) { head, path in planned(head) { try cancel(head, path["project"]) } },
        ]
    }

    private func planned(_ head: RequestHead, _ plan: () throws -> RequestPlan) -> RequestPlan {
        do { return try plan() } catch { return .answer(responder.failure(head, error)) }
    }

    private func begin(_ head: RequestHead, _ project: String) throws -> RequestPlan {
        let call = try uploads.context.adminCall(head, project: project, atLeast: .publisher)
        let name = head.query.first("name") ?? "model.tflite"
        guard Names.isObjectName(name), !name.contains("/"), name.utf8.count <= 200 else {
            throw APIError(.invalidArgument, "The query item 'name' must be a plain file name.")
        }
        let target = UploadTarget.namedAfterHash(project: call.project.id, fileName: name)
        if head.query.first("resumable") == "true" { return written(by: call) { try beginResumable($0, call, target) } }
        let expected = try Self.expected(head)
        return .streaming(
            try WholeFileReceiver(uploads, head, responder) { [uploads] blob in
                try uploads.completion.complete(blob, as: target, expecting: expected, by: call.actor)
            })
    }

    private func beginResumable(_ head: RequestHead, _ call: AdminCall, _ target: UploadTarget) throws -> Response {
        let session = try uploads.sessions.begin(
            target, totalBytes: head.announcedUploadBytes(), crc32c: nil, by: call.actor)
        var response = Response(status: 201)
        response.headers["Location"] =
            "\(PublicAddress.adminBase(head, uploads.services))/hearth/v1/projects/\(call.project.id)/uploads"
            + "?upload_id=\(session.id)"
        return response
    }

    private func put(_ head: RequestHead, _ project: String) throws -> RequestPlan {
        let call = try uploads.context.adminCall(head, project: project, atLeast: .publisher)
        return try uploads.put(
            head, head.query.first("upload_id") ?? "", call, expecting: Self.expected(head), responder)
    }

    private func cancel(_ head: RequestHead, _ project: String) throws -> RequestPlan {
        let call = try uploads.context.adminCall(head, project: project, atLeast: .publisher)
        return written(by: call) { head in
            try uploads.cancel(head.query.first("upload_id") ?? "", call)
            return Response(status: 204)
        }
    }

    private func written(
        by call: AdminCall, _ body: @escaping @Sendable (RequestHead) throws -> Response
    ) -> RequestPlan {
        .buffered(limitBytes: uploads.services.limits.requestBodyBytes) { head, _ in
            uploads.queuedWrite(head, responder, by: call) { try body(head) }
        }
    }

    /// The file's hash according to the header `x-hearth-sha256`.
    private static func expected(_ head: RequestHead) throws(APIError) -> ExpectedChecksums {
        guard let text = head.headers["x-hearth-sha256"] else { return ExpectedChecksums() }
        guard let digest = SHA256Digest(hex: text) else {
            throw APIError(.invalidArgument, "x-hearth-sha256 must be the file's SHA-256 in 64 hex digits.")
        }
        return ExpectedChecksums(sha256: digest)
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
