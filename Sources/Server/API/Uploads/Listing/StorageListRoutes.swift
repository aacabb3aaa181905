import HearthCatalog
import HearthHTTP
import HearthStorage
import HearthWire

/// Lists a bucket's objects, and removes those that no version of a model was made from.
struct StorageListRoutes {
    private let desk: UploadDesk
    private let surface: UploadSurface

    init(_ desk: UploadDesk, _ surface: UploadSurface) {
        self.desk = desk
        self.surface = surface
    }

    var routes: [Route] {
        [
            Route(.get, "storage/v1/b/{bucket}/o") { head, path in
                // Not among the workers that end uploads: a page takes a while.
                desk.context.inTurn(
                    head, failure: surface.failure, check: { try desk.context.storage(head, atLeast: .viewer) },
                    { call, head, _ in try list(ObjectListing(head.query), path["bucket"], call) })
            },
            Route(.delete, "storage/v1/b/{bucket}/o/{object}") { head, path in
                checked(head, atLeast: .publisher) { call, head in
                    desk.written(head, surface, by: call) { try delete(head, path["bucket"], path["object"], call) }
                }
            },
        ]
    }

    private func checked(
        _ head: RequestHead, atLeast role: Role,
        _ body: @escaping @Sendable (AdminCall, RequestHead) throws -> Outcome
    ) -> RequestPlan {
        do {
            let call = try desk.context.storage(head, atLeast: role)
            return .buffered(limitBytes: desk.services.limits.requestBodyBytes) { head, _ in
                do { return try body(call, head) } catch { return .respond(surface.failure(head, error)) }
            }
        } catch {
            return .answer(surface.failure(head, error))
        }
    }

    private func list(_ wanted: ObjectListing, _ bucket: String, _ call: AdminCall) throws -> Response {
        let all = try desk.services.metadata.read { try $0.objects(project: call.project.id) }
        return try desk.context.json(StorageObjectList(wanted.page(of: all.filter { $0.bucket == bucket })))
    }

    private func delete(
        _ head: RequestHead, _ bucket: String, _ name: String, _ call: AdminCall
    ) throws -> Response {
        let conditions = try ObjectConditions(head.query)
        let generation = try ObjectConditions.number("generation", head.query)
        try desk.context.change(by: call.principal, in: call.project.id) { store, log in
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
