import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// Lists a bucket's objects, and deletes those that no version of a model uses.
struct StorageObjectRoutes {
    private let uploads: UploadService
    private let responder: UploadResponder

    init(_ uploads: UploadService, _ responder: UploadResponder) {
        self.uploads = uploads
        self.responder = responder
    }

    var routes: [CallRoute] {
        [
            CallRoute(GoogleStorageCalls.list) { head, path in
                // Not among the workers that complete uploads, because a page takes a while.
                uploads.context.queued(
                    head, failure: responder.failure,
                    check: { try uploads.context.storageCall(head, atLeast: .viewer) },
                    { call, head, _ in try list(ObjectListing(head.query), path["bucket"], call) })
            },
            CallRoute(GoogleStorageCalls.delete) { head, path in
                checked(head, atLeast: .publisher) { call, head in
                    uploads.queuedWrite(head, responder, by: call) {
                        try delete(head, path["bucket"], path["object"], call)
                    }
                }
            },
        ]
    }

    private func checked(
        _ head: RequestHead, atLeast role: Role,
        _ body: @escaping @Sendable (AdminCall, RequestHead) throws -> Outcome
    ) -> RequestPlan {
        do {
            let call = try uploads.context.storageCall(head, atLeast: role)
            return .buffered(limitBytes: uploads.services.limits.requestBodyBytes) { head, _ in
                do { return try body(call, head) } catch { return .respond(responder.failure(head, error)) }
            }
        } catch {
            return .answer(responder.failure(head, error))
        }
    }

    private func list(_ wanted: ObjectListing, _ bucket: String, _ call: AdminCall) throws -> Response {
        let all = try uploads.context.briefly { try $0.objects(project: call.project.id) }
        return try uploads.context.json(StorageObjectList(wanted.page(of: all.filter { $0.bucket == bucket })))
    }

    private func delete(
        _ head: RequestHead, _ bucket: String, _ name: String, _ call: AdminCall
    ) throws -> Response {
        let conditions = try ObjectConditions(head.query)
        let generation = try ObjectConditions.number("generation", head.query)
        try uploads.change(by: call) { store, log in
            let found = try store.object(bucket: bucket, name: name, project: call.project.id)
            guard let found, generation ?? found.generation == found.generation else {
                throw APIError(.notFound, "No such object: \(bucket)/\(name)")
            }
            try conditions.check(found)
            guard try !store.hasVersion(of: found) else {
                throw APIError(
                    .failedPrecondition,
                    "A version of a model was made from \(found.uri), which keeps it: delete the model first.",
                    httpStatus: 409)
            }
            try store.delete(found)
            try log.add("file.delete", found.uri, "\(found.sizeBytes) bytes \(found.sha256)")
        }
        return Response(status: 204)
    }
}
