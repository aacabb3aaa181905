import HearthCatalog
import HearthWire

/// Records with every field set to something that a mix-up of columns would show.
enum Records {
    static func project(_ id: String, number: Int64) -> Project {
        Project(id: id, number: number, createdMicroseconds: 10 + number)
    }

    static func account(_ email: String, project: String = "project-a", role: Role = .publisher) -> ServiceAccount {
        ServiceAccount(email: email, projectID: project, role: role, isOperator: true, createdMicroseconds: 12)
    }

    static func accountKey(_ id: String, email: String, clientID: String, created: Int64 = 13) -> AccountKey {
        AccountKey(
            id: id, email: email, clientID: clientID, publicKeyPEM: "PEM of \(id)",
            clientSecretHash: "secret of \(id)", createdMicroseconds: created, endsMicroseconds: 14)
    }

    static func apiKey(_ id: String, project: String = "project-a", created: Int64 = 15) -> APIKey {
        APIKey(
            id: id, projectID: project, name: "name of \(id)", appID: "app of \(id)",
            bundleIDs: ["com.example.one", "\"two\", [3]"], secretHash: "hash of \(id)", createdMicroseconds: created,
            endsMicroseconds: 16)
    }

    static func token(_ id: String, project: String? = "project-a", created: Int64 = 17) -> AdminToken {
        AdminToken(
            id: id, projectID: project, name: "name of \(id)", role: .viewer, secretHash: "hash of \(id)",
            createdMicroseconds: created, createdBy: "ann@example.test", endsMicroseconds: 18)
    }

    static func installation(_ fid: String, project: String = "project-a") -> Installation {
        Installation(projectID: project, fid: fid, appID: "app of \(fid)", createdMicroseconds: 19)
    }

    static func model(_ id: Int64, _ name: String, project: String = "project-a") -> Model {
        Model(
            id: id, projectID: project, displayName: name, tags: ["t1", "t2"], newestVersion: 3, isPublished: true,
            releasedVersion: 2, publishWhenValidated: 3, contractCheck: .refuse,
            rehearsalGate: "agreement=98%", rehearsalCheck: .refuse, revision: 4, createdMicroseconds: 5,
            updatedMicroseconds: 6)
    }

    static func version(_ number: Int, model: Int64) -> ModelVersion {
        ModelVersion(
            modelID: model, number: number, sha256: "hash \(number)", sizeBytes: 1 << 40, sourceURI: "gs://bucket/x",
            createdMicroseconds: 7, createdBy: "ann@example.test")
    }

    static func release(_ number: Int, model: Int64, version: Int = 1, ended: Int64? = nil) -> Release {
        var audience = Audience()
        audience.appVersionFrom = "1.2"
        audience.appVersionBelow = "3"
        audience.operatingSystems = ["linux"]
        audience.languages = ["de", "fr-CH"]
        audience.countries = ["CH"]
        audience.tags = ["kiosk"]
        return Release(
            modelID: model, number: number, version: version, kind: .rollout, shareMillionths: 20_000,
            stages: [.init(atMicroseconds: 21, shareMillionths: 22_000)], audience: audience, pausedMicroseconds: 23,
            endedMicroseconds: ended, createdMicroseconds: 24, createdBy: "ann@example.test")
    }

    static func object(_ name: String, project: String = "project-a", sha256: String = "hash") -> UploadedObject {
        UploadedObject(
            projectID: project, bucket: "bucket", name: name, sha256: sha256, sizeBytes: 8, crc32c: .max,
            contentType: "model/x",
            details: ObjectDetails(
                md5: "md5", cacheControl: "no-cache", contentDisposition: "inline", contentLanguage: "de",
                metadata: ["k'\"": "v"]), createdMicroseconds: 9)
    }

    static func validation(_ sha256: String, _ verdict: Verdict, requested: Int64 = 25) -> Validation {
        Validation(
            sha256: sha256, sizeBytes: 26, verdict: verdict, contractJSON: "{\"a\":1}", measurementsJSON: "{\"b\":2}",
            requestedMicroseconds: requested, finishedMicroseconds: 27)
    }

    static func session(_ id: String, project: String = "project-a", created: Int64 = 28) -> UploadSession {
        UploadSession(
            id: id, projectID: project, bucket: "bucket", name: "name of \(id)", fileName: "file of \(id)",
            contentType: "model/x", details: ObjectDetails(md5: "md5", metadata: ["k": "v"]),
            conditions: ObjectConditions(
                generation: 0, otherGeneration: .max, metageneration: .min, otherMetageneration: 3),
            totalBytes: 1 << 40, crc32c: 29, createdMicroseconds: created,
            createdBy: "ann@example.test", touchedMicroseconds: 30)
    }

    static func entry(_ detail: String, project: String = "project-a", id: Int64 = 0) -> AuditEntry {
        AuditEntry(
            id: id, projectID: project, actor: "ann@example.test", action: "model.create", subject: "models/1",
            detail: detail, atMicroseconds: 11)
    }
}
