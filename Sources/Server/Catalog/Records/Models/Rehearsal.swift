/// One of the team's own images, on which the versions of a model are compared before a release. The bytes are in the
/// blob store.
package struct RehearsalImage: Sendable, Hashable {
    package var modelID: Int64
    /// Unique in the model's set; slashes separate folders.
    package var name: String
    /// Lower-case hex.
    package var sha256: String
    package var sizeBytes: UInt64
    /// The expected answer; nil for none.
    package var label: String?
    package var createdMicroseconds: Int64
    package var createdBy: String

    package init(
        modelID: Int64, name: String, sha256: String, sizeBytes: UInt64, label: String?, createdMicroseconds: Int64,
        createdBy: String
    ) {
        self.modelID = modelID
        self.name = name
        self.sha256 = sha256
        self.sizeBytes = sizeBytes
        self.label = label
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

/// The result of a rehearsal. There is one for each pair of files and set of images, however many versions have these
/// files.
package struct RehearsalRecord: Sendable, Hashable {
    package var modelID: Int64
    /// The hash of the rehearsed file.
    package var candidateSHA256: String
    /// The hash of the file that it was compared with; empty for none.
    package var baselineSHA256: String
    /// The digest of the names, bytes and labels of the images.
    package var imageSet: String
    package var candidateVersion: Int
    package var baselineVersion: Int?
    /// JSON of `RehearsalBodies.Summary`.
    package var summaryJSON: String
    /// JSON of a list of `RehearsalBodies.Comparison`; empty where a look-up leaves it out.
    package var imagesJSON: String
    package var createdMicroseconds: Int64
    package var createdBy: String

    package init(
        modelID: Int64, candidateSHA256: String, baselineSHA256: String, imageSet: String, candidateVersion: Int,
        baselineVersion: Int?, summaryJSON: String, imagesJSON: String, createdMicroseconds: Int64, createdBy: String
    ) {
        self.modelID = modelID
        self.candidateSHA256 = candidateSHA256
        self.baselineSHA256 = baselineSHA256
        self.imageSet = imageSet
        self.candidateVersion = candidateVersion
        self.baselineVersion = baselineVersion
        self.summaryJSON = summaryJSON
        self.imagesJSON = imagesJSON
        self.createdMicroseconds = createdMicroseconds
        self.createdBy = createdBy
    }
}

/// A rehearsal that waits, runs or failed at one of several servers.
package struct OpenRehearsal: Sendable, Hashable {
    /// The id of the rehearsal, on which all servers agree.
    package var id: String
    /// Names the run of the server.
    package var server: String
    package var modelID: Int64
    /// How it is going, as JSON.
    package var body: String
    package var touchedMicroseconds: Int64

    package init(id: String, server: String, modelID: Int64, body: String, touchedMicroseconds: Int64) {
        self.id = id
        self.server = server
        self.modelID = modelID
        self.body = body
        self.touchedMicroseconds = touchedMicroseconds
    }
}
