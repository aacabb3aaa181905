import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthStorage
import HearthWire

/// Whoever may upload sees a project's unfinished uploads, also those of others, and may give them up: their bytes lie on
/// the disk until they expire.
///
/// `GET /hearth/v1/projects/{project}/uploads`, `DELETE …/uploads/{upload}`.
struct UnfinishedUploadRoutes {
    private let desk: UploadDesk

    init(_ desk: UploadDesk) { self.desk = desk }

    private var context: RouteContext { desk.context }

    private static let collection = "hearth/v1/projects/{project}/uploads"

    var routes: [Route] {
        [
            Route(.get, Self.collection) { head, path in
                context.answer(head) {
                    try list(context.admin(head, project: path["project"], atLeast: .publisher))
                }
            },
            Route(.delete, Self.collection + "/{upload}") { head, path in
                context.written(
                    head, check: { try context.admin(head, project: path["project"], atLeast: .publisher) }
                ) { call, _, _ in
                    let session = try desk.giveUp(
                        call, where: { $0.publicName == path["upload"] },
                        otherwise: APIError(.notFound, "There is no such unfinished upload; it ended, or never began."))
                    return try context.json(resource(session))
                }
            },
        ]
    }

    private func list(_ call: AdminCall) throws -> Response {
        let found = try desk.sessions.unfinished(of: call.project).map(resource)
        return try context.json(UploadBodies.List(uploads: found.isEmpty ? nil : found))
    }

    private func resource(_ session: UploadSession) -> UploadBodies.Unfinished {
        let kept = Int64(desk.services.limits.uploadSessionDays) * 86_400
        return UploadBodies.Unfinished(
            upload: session.publicName, fileName: session.fileName, receivedBytes: String(session.receivedBytes),
            totalBytes: session.totalBytes.map(String.init), createTime: WireTime.text(session.createdMicroseconds),
            createdBy: session.createdBy, updateTime: WireTime.text(session.touchedMicroseconds),
            expireTime: WireTime.text(
                Timestamp(microseconds: session.touchedMicroseconds).adding(seconds: kept).microseconds))
    }
}

extension UploadSession {
    /// What others may know the upload by: its id would let them go on with it.
    var publicName: String { String(SHA256Hasher.hash(Array(id.utf8)).hex.prefix(16)) }
}
