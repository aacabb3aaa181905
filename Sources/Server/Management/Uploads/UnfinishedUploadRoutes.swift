import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthRouting
import HearthStorage
import HearthWire

/// All publishers see a project's unfinished uploads, also those of other callers, and may cancel them: their bytes use
/// disk space until they expire.
///
/// `GET /hearth/v1/projects/{project}/uploads`, `DELETE …/uploads/{upload}`.
struct UnfinishedUploadRoutes {
    private let uploads: UploadService

    init(_ uploads: UploadService) { self.uploads = uploads }

    private var context: RouteContext { uploads.context }

    var routes: [CallRoute] {
        [
            context.on(UploadCalls.list) { try list($0) },
            context.on(UploadCalls.cancelNamed) { try cancel($0) },
        ]
    }

    private func list(_ call: ReadCall) throws -> UploadBodies.List {
        let found = try uploads.sessions.unfinished(of: call.project).map(resource)
        return UploadBodies.List(uploads: found.isEmpty ? nil : found)
    }

    private func cancel(_ call: ChangeCall<NoBody>) throws -> UploadBodies.Unfinished {
        let session = try uploads.cancelUnfinished(
            call.caller, where: { $0.publicName == call.path["upload"] },
            otherwise: APIError(.notFound, "There is no such unfinished upload; it ended, or never began."))
        return resource(session)
    }

    private func resource(_ session: UploadSession) -> UploadBodies.Unfinished {
        let kept = Int64(uploads.services.limits.uploadSessionDays) * 86_400
        return UploadBodies.Unfinished(
            upload: session.publicName, fileName: session.fileName, receivedBytes: String(session.receivedBytes),
            totalBytes: session.totalBytes.map(String.init), createTime: WireTime.text(session.createdMicroseconds),
            createdBy: session.createdBy, updateTime: WireTime.text(session.touchedMicroseconds),
            expireTime: WireTime.text(
                Timestamp(microseconds: session.touchedMicroseconds).adding(seconds: kept).microseconds))
    }
}

extension UploadSession {
    /// The name under which other callers see the upload. With its id, they could continue it.
    var publicName: String { String(SHA256Hasher.hash(Array(id.utf8)).hex.prefix(16)) }
}
