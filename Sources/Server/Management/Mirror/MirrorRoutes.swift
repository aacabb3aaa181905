import HearthCalls
package import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthExperiments
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthStorage
import HearthWire

/// `/hearth/v1/server/mirror`: what followers copy, for tokens with the role mirror, and for operators.
struct MirrorRoutes {
    private let context: RouteContext
    private let answers: MirrorAnswers

    init(_ context: RouteContext, _ metadata: any MetadataStore) {
        self.context = context
        answers = MirrorAnswers(context, metadata)
    }

    private static let most = MirrorBodies.Installations.limit

    var routes: [CallRoute] {
        [
            context.onResponse(MirrorCalls.records) { try state($0) },
            CallRoute(MirrorCalls.file) { head, path in
                do {
                    _ = try context.mirrorCall(head)
                    return try file(head, path["sha256"])
                } catch {
                    return .answer(context.failure(head, error))
                }
            },
            context.on(MirrorCalls.installations, isSecret: true) { try installations($0) },
            context.on(MirrorCalls.addInstallations) { try add($0) },
        ]
    }

    /// With signing keys, and so never compressed; 304 if the follower has it.
    private func state(_ call: ServerReadCall) throws -> Response {
        let answer = try answers.current()
        var response = Response(status: 200)
        if call.head.ifNoneMatch?.allow(answer.etag) == true {
            response.status = 304
        } else {
            response.headers["Content-Type"] = "application/json; charset=utf-8"
            response.body = .bytes(answer.body)
        }
        response.headers["ETag"] = answer.etag
        response.headers["Cache-Control"] = "no-store"
        let count = try call.read { store in
            try store.projects().reduce(0) { try $0 + store.installationCount(project: $1.id) }
        }
        response.headers[MirrorBodies.installationsHeader] = "\(count)"
        return response
    }

    private func file(_ head: RequestHead, _ sha256: String) throws -> RequestPlan {
        guard let digest = SHA256Digest(hex: sha256) else { throw APIError.notFound }
        return context.answer(head, withBytesOf: digest) { head, blob in
            Response.file(
                OwnedDescriptor(takingOwnershipOf: blob.descriptor), length: blob.size, etag: "\"\(digest.hex)\"",
                for: head)
        }
    }

    private func installations(_ call: ServerReadCall) throws -> MirrorBodies.Installations {
        let query = call.query
        var cursor = InstallationCursor.start
        if let created = query.first("created") {
            guard let created = Int64(created) else { throw APIError.invalidArgument }
            cursor = InstallationCursor(
                createdMicroseconds: created, projectID: query.first("project") ?? "", fid: query.first("fid") ?? "")
        }
        let found = try call.read {
            try $0.installations(after: cursor, limit: MirrorBodies.Installations.pageLimit)
        }
        return MirrorBodies.Installations(installations: found.map { .init($0) })
    }

    private func add(_ call: ServerChangeCall<MirrorBodies.Installations>) throws -> MirrorBodies.Added {
        let bytes = try context.inflated(call.bytes)
        let body: MirrorBodies.Installations
        do {
            body = try WireJSON.decode(MirrorBodies.Installations.self, from: bytes)
        } catch {
            throw APIError(.invalidArgument, "The body is not JSON of installations.", cause: error)
        }
        guard body.installations.count <= Self.most, body.installations.allSatisfy(\.isPlausible) else {
            throw APIError(
                .invalidArgument, "There are at most \(Self.most) installations, each with its ids and its time.")
        }
        return MirrorBodies.Added(added: try call.write { try $0.insertIfAbsent(body.installations.map(\.record)) })
    }
}

/// The state for followers, made once for each change.
private final class MirrorAnswers: Sendable {
    struct Answer: Sendable {
        let etag: String
        let body: [UInt8]
    }

    private struct Made {
        let revision: UInt64
        let keys: MirroredKeys
        let answer: Answer
    }

    private let context: RouteContext
    private let metadata: any MetadataStore
    private let made = Lock<Made?>(nil)

    init(_ context: RouteContext, _ metadata: any MetadataStore) {
        self.context = context
        self.metadata = metadata
    }

    func current() throws -> Answer {
        let services = context.services
        return try made.withLock { made in
            // Before the records: a commit in between makes them newer than the revision, never older.
            let (revision, keys) = (metadata.servingRevision, services.secret.mirroredKeys)
            if let made, made.revision == revision, made.keys == keys { return made.answer }
            let bytes = try WireJSON.encode(try metadata.readServed { try state($0, keys) })
            let answer = Answer(etag: "\"\(SHA256Hasher.hash(bytes[...]).hex)\"", body: bytes)
            made = Made(revision: revision, keys: keys, answer: answer)
            return answer
        }
    }

    private func state(_ store: any MetadataReader, _ keys: MirroredKeys) throws -> MirrorBodies.State {
        MirrorBodies.State(
            server: context.services.folderID,
            revision: try store.audit(project: nil, before: nil, limit: 1).first?.id ?? 0, keys: keys,
            records: try store.mirrorRecords(), experimentFiles: try experimentFiles(store))
    }

    private func experimentFiles(_ store: any MetadataReader) throws -> [MirrorBodies.ExperimentFile] {
        var files: Set<MirrorBodies.ExperimentFile> = []
        for record in try store.runningExperiments() {
            // A record that cannot be decoded is not served either.
            guard let experiment = try? ExperimentCoding.experiment(record) else { continue }
            for (name, number) in experiment.variants.flatMap(\.models) {
                guard let model = try store.model(displayName: name, project: record.projectID),
                    let version = try store.version(number, model: model.id)
                else { continue }
                files.insert(
                    .init(project: record.projectID, experiment: experiment.name, sha256: version.sha256))
            }
        }
        return files.sorted { ($0.project, $0.experiment, $0.sha256) < ($1.project, $1.experiment, $1.sha256) }
    }
}

extension MirrorBodies.Installation {
    package init(_ installation: HearthCatalog.Installation) {
        self.init(
            project: installation.projectID, fid: installation.fid, appId: installation.appID,
            created: installation.createdMicroseconds)
    }

    package var record: HearthCatalog.Installation {
        HearthCatalog.Installation(projectID: project, fid: fid, appID: appId, createdMicroseconds: created)
    }

    package var isPlausible: Bool {
        InstallationID.isValid(fid) && (1...256).contains(appId.utf8.count) && (1...64).contains(project.utf8.count)
            && created > 0
    }
}
