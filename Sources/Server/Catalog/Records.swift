/// A project: the owner of models, service accounts and one API key.
public struct Project: Sendable, Hashable {
    /// `[a-z0-9-]{6,30}`.
    public var id: String
    /// The decimal number in app ids and resource names of the Installations API.
    public var number: Int64
    /// Lower-case hex SHA-256 of the API key; the key itself is only in the credentials files.
    public var apiKeyHash: String
    /// The app id written to `GoogleService-Info.plist`.
    public var appID: String
    public var createdMicroseconds: Int64

    public init(id: String, number: Int64, apiKeyHash: String, appID: String, createdMicroseconds: Int64) {
        self.id = id
        self.number = number
        self.apiKeyHash = apiKeyHash
        self.appID = appID
        self.createdMicroseconds = createdMicroseconds
    }
}

/// Who may make admin calls for a project.
public struct ServiceAccount: Sendable, Hashable {
    public var email: String
    public var projectID: String
    public var clientID: String
    public var keyID: String
    /// SPKI PEM of the key that signs its assertions; the private half never reaches the server's database.
    public var publicKeyPEM: String
    /// Lower-case hex SHA-256 of the client secret.
    public var clientSecretHash: String

    public init(
        email: String, projectID: String, clientID: String, keyID: String, publicKeyPEM: String,
        clientSecretHash: String
    ) {
        self.email = email
        self.projectID = projectID
        self.clientID = clientID
        self.keyID = keyID
        self.publicKeyPEM = publicKeyPEM
        self.clientSecretHash = clientSecretHash
    }
}

/// What the probe said about a file.
public enum Verdict: Sendable, Hashable {
    case ok
    /// Well formed, but this server's engine cannot run it. A warning; it may be published.
    case unsupported(String)
    /// Not a usable model, or it crashed the probe. It cannot be published.
    case malformed(String)

    public var isPublishable: Bool {
        if case .malformed = self { false } else { true }
    }
}

/// An uploaded file, under the name that management calls use for it: `gs://{bucket}/{name}`.
public struct UploadedObject: Sendable, Hashable {
    public var projectID: String
    public var bucket: String
    public var name: String
    /// Lower-case hex SHA-256.
    public var sha256: String
    public var sizeBytes: UInt64
    public var verdict: Verdict
    /// JSON of the contract as the probe reported it; nil for malformed files.
    public var contractJSON: String?
    public var createdMicroseconds: Int64

    public init(
        projectID: String, bucket: String, name: String, sha256: String, sizeBytes: UInt64, verdict: Verdict,
        contractJSON: String?, createdMicroseconds: Int64
    ) {
        self.projectID = projectID
        self.bucket = bucket
        self.name = name
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.verdict = verdict
        self.contractJSON = contractJSON
        self.createdMicroseconds = createdMicroseconds
    }

    public var uri: String { "gs://\(bucket)/\(name)" }
}

/// An immutable version of a model: the bytes and what is known about them.
public struct ModelVersion: Sendable, Hashable {
    public var modelID: Int64
    /// 1, 2, 3 … within the model.
    public var number: Int
    public var sha256: String
    public var sizeBytes: UInt64
    public var sourceURI: String
    public var verdict: Verdict
    public var contractJSON: String?
    public var createdMicroseconds: Int64
    /// The service account that made it.
    public var createdBy: String

    public init(
        modelID: Int64, number: Int, sha256: String, sizeBytes: UInt64, sourceURI: String, verdict: Verdict,
        contractJSON: String?, createdMicroseconds: Int64, createdBy: String
    ) {
        self.modelID = modelID
        self.number = number
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.sourceURI = sourceURI
        self.verdict = verdict
        self.contractJSON = contractJSON
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

/// A named model of a project.
public struct Model: Sendable, Hashable {
    public var id: Int64
    public var projectID: String
    public var displayName: String
    public var tags: [String]
    /// The newest version; nil before the first file.
    public var newestVersion: Int?
    /// The version that devices get; nil when unpublished.
    public var releasedVersion: Int?
    /// Counts every change of the resource; shown as its etag.
    public var revision: Int64
    public var createdMicroseconds: Int64
    public var updatedMicroseconds: Int64

    public init(
        id: Int64, projectID: String, displayName: String, tags: [String], newestVersion: Int?, releasedVersion: Int?,
        revision: Int64, createdMicroseconds: Int64, updatedMicroseconds: Int64
    ) {
        self.id = id
        self.projectID = projectID
        self.displayName = displayName
        self.tags = tags
        self.newestVersion = newestVersion
        self.releasedVersion = releasedVersion
        self.revision = revision
        self.createdMicroseconds = createdMicroseconds
        self.updatedMicroseconds = updatedMicroseconds
    }

    public var isPublished: Bool { releasedVersion != nil }
}

/// One row per state change: who did what to what, and when.
public struct AuditEntry: Sendable, Hashable {
    public var projectID: String
    public var actor: String
    /// For example `model.create`, `model.publish`.
    public var action: String
    /// For example `models/1000001`.
    public var subject: String
    public var detail: String
    public var atMicroseconds: Int64

    public init(
        projectID: String, actor: String, action: String, subject: String, detail: String, atMicroseconds: Int64
    ) {
        self.projectID = projectID
        self.actor = actor
        self.action = action
        self.subject = subject
        self.detail = detail
        self.atMicroseconds = atMicroseconds
    }
}
