package import HearthAdmin
import HearthCalls
import HearthCrypto
import HearthFiles
import HearthWire

/// Brings models to a Hearth server, one after the other.
///
/// A second run changes nothing: a file whose bytes are already a version of its model is not sent again. Each model is there
/// whole or not at all, because the server makes a version only of a complete and valid file.
package struct ModelImporter: Sendable {
    /// Makes the uploader for a model; it reports the progress.
    package typealias MakeUploader = @Sendable (SourceModel) -> FileUploader

    private let client: AdminClient
    private let options: ImportOptions
    private let makeUploader: MakeUploader

    /// - Parameter makeUploader: makes the uploader of each file that is sent. It must use the same client.
    package init(client: AdminClient, options: ImportOptions, makeUploader: @escaping MakeUploader) {
        self.client = client
        self.options = options
        self.makeUploader = makeUploader
    }

    /// Brings one model to the server. A problem of this model alone is a part of the result.
    ///
    /// - Throws: ``AdminError`` if no other model could be imported either, such as when the server cannot be reached.
    package func add(_ model: SourceModel) throws(AdminError) -> ImportedModel {
        var result = ImportedModel(model)
        do throws(FileError) {
            result.sha256 = try FileDigest.sha256(model.path).hex
        } catch {
            result.problem = error.message
            return result
        }
        if let expected = model.expectedSHA256, expected != result.sha256 {
            result.isHashConfirmed = false
            result.problem = "The file is not the one that came from Firebase. Run the import with its source again."
            return result
        }
        do throws(AdminError) {
            try add(model, into: &result)
        } catch {
            guard error.isOfOneModel else { throw error }
            result.result = .failed
            result.problem = error.message
        }
        return result
    }

    private func add(_ model: SourceModel, into result: inout ImportedModel) throws(AdminError) {
        let known = try client.findModel(model.name)
        if let known, let version = try version(of: known, with: result.sha256) {
            try keep(known, version, model, &result)
            return
        }
        result.result = known == nil ? .new : .newVersion
        let publishes = self.publishes(model, isNew: known == nil)
        result.isPublished = publishes
        result.canBePublished = !publishes && model.wasPublished != false
        guard !options.isDryRun else { return }
        let upload = try makeUploader(model).upload(model.path, name: model.name + ".tflite")
        let outcome = try ModelPush(client: client).push(
            model.name, upload: upload, to: publishes ? .all : .none, tags: model.tags)
        if let problem = outcome.problem {
            result.result = .failed
            result.problem = problem
        }
        result.warnings = outcome.contractChanges + [upload.warning].compactMap { $0 }
        result.version = outcome.model.hearth?.version
        result.isPublished = outcome.model.hearth?.releasedVersion == result.version
        if result.isPublished { result.canBePublished = false }
    }

    /// What was published stays published, and what was not stays unpublished. A version that replaces another one goes to
    /// devices only if the user says so, and so does a model of which the source does not say whether it was published.
    private func publishes(_ model: SourceModel, isNew: Bool) -> Bool {
        switch model.wasPublished {
        case true?: isNew || options.publishes
        case false?: false
        case nil: options.publishes
        }
    }

    /// The version of the model that has these bytes, if its file is still on the server.
    private func version(
        of model: ModelResource, with sha256: String
    ) throws(AdminError) -> ReleaseBodies.Version? {
        let name = try model.resourceName()
        let versions = try client.versions(of: name)
        guard let version = versions.first(where: { $0.modelHash == sha256 }) else { return nil }
        // The server knows only of the newest version whether its file is there.
        guard version.version == model.hearth?.version else { return version }
        let isMissing = try client.model(name).hearth?.fileMissing
        return isMissing == true ? nil : version
    }

    /// A version that was here before is published only where devices get no version yet: otherwise a second run could take
    /// back a newer one.
    private func keep(
        _ known: ModelResource, _ version: ReleaseBodies.Version, _ model: SourceModel, _ result: inout ImportedModel
    ) throws(AdminError) {
        result.result = .unchanged
        result.version = version.version
        let released = known.hearth?.releasedVersion
        result.isPublished = released == version.version
        result.canBePublished = model.wasPublished != false && (released ?? 0) < version.version
        if version.verdict == "malformed" {
            result.result = .failed
            result.problem = version.message
        } else if options.publishes, model.wasPublished != false, released == nil,
            known.hearth?.rollouts?.isEmpty != false
        {
            result.result = .published
            result.isPublished = true
            result.canBePublished = false
            guard !options.isDryRun else { return }
            _ = try client.createRelease(
                of: known.resourceName(), ReleaseBodies.CreateRequest(version: version.version))
        }
    }
}

extension AdminError {
    /// Whether the next model may still succeed.
    fileprivate var isOfOneModel: Bool {
        switch code {
        case .invalidModel, .invalidFile, .superseded, .operationFailed, .stillChecking: true
        // A refusal of the credentials or of too many calls would meet all other models as well.
        case .refused: ![401, 403, 404, 429, 503].contains(status)
        default: false
        }
    }
}
