/// What an import did with one model.
package struct ImportedModel: Codable, Hashable, Sendable {
    package enum Result: String, Codable, Sendable {
        /// The model was not on the server.
        case new
        /// The model was on the server with other bytes.
        case newVersion
        /// A version of the model has these bytes already.
        case unchanged
        /// As `unchanged`, but devices get it from now on.
        case published
        /// It was only taken into the folder.
        case fetched
        /// It is not on the server; `problem` says why.
        case failed
    }

    package var name: String
    package var file: String
    package var sizeBytes: UInt64
    /// Of the file, in lower-case hex; empty if it could not be read, or was only taken into the folder and has no known hash.
    package var sha256 = ""
    /// Whether the source named a hash, with which the bytes were compared.
    package var isHashConfirmed: Bool
    package var tags: [String]
    /// Whether devices got it from Firebase; nil if the source does not say.
    package var wasPublished: Bool?
    package var result = Result.failed
    /// The version with these bytes; nil where there is none, as in a dry run.
    package var version: Int?
    /// Whether all devices get this version.
    package var isPublished = false
    /// Whether publishing the model would be a change that fits what Firebase had.
    package var canBePublished = false
    package var problem: String?
    package var warnings: [String] = []

    /// A model that was only taken into the folder.
    package init(kept model: SourceModel) {
        self.init(model)
        result = .fetched
        sha256 = model.expectedSHA256 ?? ""
    }

    init(_ model: SourceModel) {
        name = model.name
        file = model.path
        sizeBytes = model.sizeBytes
        isHashConfirmed = model.isHashConfirmed
        tags = model.tags
        wasPublished = model.wasPublished
    }
}
