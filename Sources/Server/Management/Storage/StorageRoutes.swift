import Foundation
import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire

/// The part of Google's storage API with which existing tools upload model files: one request for small files,
/// resumable uploads for large ones, and reading of objects and their bytes. `StorageObjectRoutes` lists and deletes them.
///
/// Buckets need not be created: any valid name works, and each project has its own bucket of every name.
struct StorageRoutes {
    private let uploads: UploadService
    private let responder: UploadResponder

    init(_ uploads: UploadService) {
        self.uploads = uploads
        let context = uploads.context
        responder = UploadResponder(
            waitSeconds: 0,
            success: { object in try context.json(StorageObject(object)) },
            failure: { head, error in
                context.note(head, error)
                return StorageErrorEnvelope(APIError(error)).response
            })
    }

    var routes: [CallRoute] {
        [
            CallRoute(GoogleStorageCalls.getBucket) { head, path in
                .answer(responder.respond(head) { try bucket(head, path["bucket"]) })
            },
            CallRoute(GoogleStorageCalls.get) { head, path in
                planned(head) { try object(head, path["bucket"], path["object"]) }
            },
            CallRoute(GoogleStorageCalls.download) { head, path in
                planned(head) { try object(head, path["bucket"], path["object"]) }
            },
            CallRoute(GoogleStorageCalls.send) { head, path in planned(head) { try upload(head, path["bucket"]) } },
            CallRoute(GoogleStorageCalls.sendPart) { head, _ in planned(head) { try put(head) } },
            CallRoute(GoogleStorageCalls.cancel) { head, _ in planned(head) { try cancel(head) } },
        ] + StorageObjectRoutes(uploads, responder).routes + UnsupportedStorageRoutes(uploads, responder).routes
    }

    private func planned(_ head: RequestHead, _ plan: () throws -> RequestPlan) -> RequestPlan {
        do { return try plan() } catch { return .answer(responder.failure(head, error)) }
    }

    private func bucket(_ head: RequestHead, _ name: String) throws -> Response {
        let call = try uploads.context.storageCall(head, atLeast: .viewer)
        try Self.check(bucket: name)
        return try uploads.context.json(StorageBucket(name, of: call.project))
    }

    private func object(_ head: RequestHead, _ bucket: String, _ name: String) throws -> RequestPlan {
        let call = try uploads.context.storageCall(head, atLeast: .viewer)
        let found = try uploads.context.briefly {
            try $0.object(bucket: bucket, name: name, project: call.project.id)
        }
        guard let found else {
            throw APIError(.notFound, "No such object: \(bucket)/\(name)")
        }
        // Only the newest generation exists.
        if let wanted = try ObjectConditions.number("generation", head.query), wanted != found.generation {
            throw APIError(.notFound, "No such object: \(bucket)/\(name)#\(wanted)")
        }
        switch try ObjectConditions(head.query).verdict(on: found) {
        case .met: break
        case .unmet: throw ObjectConditions.notMet(found)
        case .unchanged: return .answer(Response(status: 304))
        }
        guard head.ifMatch?.allow(found.sha256) ?? true else { throw ObjectConditions.notMet(found) }
        if head.ifNoneMatch?.allow(found.sha256) == true {
            return .answer(Response(status: 304, headers: ["ETag": "\"\(found.sha256)\""]))
        }
        guard head.query.first("alt") == "media" else { return .answer(try uploads.context.json(StorageObject(found))) }
        guard let digest = SHA256Digest(hex: found.sha256) else { throw Self.gone(found) }
        return uploads.context.answer(
            head, withBytesOf: digest, missing: Self.gone(found), failure: responder.failure
        ) { head, blob in media(of: found, blob, head) }
    }

    private static func gone(_ object: UploadedObject) -> APIError {
        APIError(.notFound, "The file of \(object.bucket)/\(object.name) is gone; upload it again.")
    }

    /// The bytes, or the part that `Range` names, with the media type that the uploader gave.
    private func media(of object: UploadedObject, _ blob: OpenBlob, _ head: RequestHead) -> Response {
        var response = Response.file(
            OwnedDescriptor(takingOwnershipOf: blob.descriptor), length: blob.size, contentType: object.contentType,
            etag: "\"\(object.sha256)\"", for: head)
        let md5 = object.details.md5.map { ",md5=\($0)" } ?? ""
        response.headers["x-goog-hash"] = "crc32c=\(CRC32C(value: object.crc32c).base64)" + md5
        response.headers["x-goog-generation"] = String(object.generation)
        response.headers["x-goog-metageneration"] = String(object.metageneration)
        response.headers["Cache-Control"] = object.details.cacheControl
        // Whatever its media type, a browser must not run it as a page of this server.
        response.headers["Content-Disposition"] = "attachment"
        return response
    }

    private func upload(_ head: RequestHead, _ bucket: String) throws -> RequestPlan {
        let call = try uploads.context.storageCall(head, atLeast: .publisher)
        try Self.check(bucket: bucket)
        _ = try ObjectConditions(head.query)
        try StorageMetadata.check(head.query)
        switch head.query.first("uploadType") {
        case "multipart": return .streaming(try multipart(head, call, bucket))
        case "resumable": return resumable(head, call, bucket)
        case "media": return .streaming(try media(head, call, bucket))
        default: throw APIError(.invalidArgument, "The query item 'uploadType' must be multipart, resumable or media.")
        }
    }

    private func multipart(_ head: RequestHead, _ call: AdminCall, _ bucket: String) throws -> MultipartReceiver {
        try MultipartReceiver(uploads, head, responder) { [uploads] blob, parts in
            let metadata = try StorageMetadata(json: parts.metadata)
            let type = metadata.contentType ?? parts.mediaType
            let target = try Self.target(head, call, bucket, metadata, type)
            return try uploads.completion.complete(
                blob, as: target, expecting: metadata.expected(head), by: call.actor)
        }
    }

    private func media(_ head: RequestHead, _ call: AdminCall, _ bucket: String) throws -> WholeFileReceiver {
        let target = try Self.target(head, call, bucket, StorageMetadata(), head.headers["Content-Type"])
        try uploads.completion.checkConditions(target)
        let expected = try StorageMetadata().expected(head)
        return try WholeFileReceiver(uploads, head, responder) { [uploads] blob in
            try uploads.completion.complete(blob, as: target, expecting: expected, by: call.actor)
        }
    }

    private func resumable(_ head: RequestHead, _ call: AdminCall, _ bucket: String) -> RequestPlan {
        .buffered(limitBytes: uploads.services.limits.uploadMetadataBytes) { [uploads, responder] head, bytes in
            uploads.queuedWrite(head, responder, by: call) {
                let metadata = try StorageMetadata(json: bytes)
                let type = metadata.contentType ?? head.headers["X-Upload-Content-Type"]
                let expected = try metadata.expected(head)
                var target = try Self.target(head, call, bucket, metadata, type)
                target.details.md5 = expected.md5?.base64
                try uploads.completion.checkConditions(target)
                let session = try uploads.sessions.begin(
                    target, totalBytes: head.announcedUploadBytes(), crc32c: expected.crc32c, by: call.actor)
                var response = Response(status: 200)
                response.headers["Location"] =
                    "\(PublicAddress.adminBase(head, uploads.services))/upload/storage/v1/b/\(bucket)/o"
                    + "?uploadType=resumable&upload_id=\(session.id)"
                response.headers["X-GUploader-UploadID"] = session.id
                return response
            }
        }
    }

    private func put(_ head: RequestHead) throws -> RequestPlan {
        let call = try uploads.context.storageCall(head, atLeast: .publisher)
        let expected = try StorageMetadata().expected(head)
        return try uploads.put(head, head.query.first("upload_id") ?? "", call, expecting: expected, responder)
    }

    /// Google's own API answers a cancellation with 499.
    private func cancel(_ head: RequestHead) throws -> RequestPlan {
        let call = try uploads.context.storageCall(head, atLeast: .publisher)
        return .buffered(limitBytes: uploads.services.limits.requestBodyBytes) { [uploads, responder] head, _ in
            uploads.queuedWrite(head, responder, by: call) {
                try uploads.cancel(head.query.first("upload_id") ?? "", call)
                return Response(status: 499)
            }
        }
    }

    private static func target(
        _ head: RequestHead, _ call: AdminCall, _ bucket: String, _ metadata: StorageMetadata, _ contentType: String?
    ) throws(APIError) -> UploadTarget {
        guard let name = metadata.name ?? head.query.first("name"), Names.isObjectName(name) else {
            throw APIError(
                .invalidArgument, "An object needs a name: 1 to 1024 bytes of UTF-8 without control characters.")
        }
        let type = contentType.flatMap { $0.isEmpty ? nil : $0 }
        guard type.map(UploadTarget.isPlain) ?? true else {
            throw APIError(.invalidArgument, "contentType must be 1 to 255 characters of visible ASCII.")
        }
        var target = UploadTarget(
            projectID: call.project.id, bucket: bucket, name: name, fileName: name, contentType: type)
        target.details = metadata.details
        target.conditions = try ObjectConditions(head.query)
        return target
    }

    private static func check(bucket: String) throws(APIError) {
        guard Names.gcsObject("gs://\(bucket)/x") != nil, !bucket.contains("/") else {
            throw APIError(
                .invalidArgument,
                "Invalid bucket name '\(bucket)': 3 to 63 lower-case letters, digits, dots, hyphens or underscores.")
        }
    }
}

extension RouteContext {
    /// An admin call of Google's storage API. Its path names no project, so the token decides.
    func storageCall(_ head: RequestHead, atLeast role: Role) throws -> AdminCall {
        guard let project = try authenticated(head).homeProjectID else {
            throw APIError(.permissionDenied, "Storage calls need a service account or a token of one project.")
        }
        return try adminCall(head, project: project, atLeast: role)
    }
}
