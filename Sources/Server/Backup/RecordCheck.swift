import HearthCatalog
import HearthCrypto
import HearthStorage

/// Reads every record of a database: counts them, and finds the model files that they need and what is inconsistent.
struct RecordCheck {
    private(set) var counts = BackupManifest.Counts()
    /// The files that versions and uploads need, with their lengths.
    private(set) var requiredBlobs: [SHA256Digest: UInt64] = [:]
    /// Malformed files, with their lengths. Earlier versions of the server removed most of them, so they may be missing.
    private(set) var optionalBlobs: [SHA256Digest: UInt64] = [:]
    private(set) var problems: [DataProblem] = []

    private static let remedy = "Restore a backup, or report this: no Hearth command produces this state."

    /// - Throws: if a record cannot be read at all.
    init(_ store: any MetadataReader) throws {
        let verdicts = Dictionary(try store.validations().map { ($0.sha256, $0) }) { first, _ in first }
        let projects = try store.projects()
        counts.projects = projects.count
        var names: Set<[String]> = []
        for project in projects {
            try checkUploads(store, project, verdicts)
            try checkExperiments(store, project)
            counts.installations += try store.installationCount(project: project.id)
            var after: Int64 = 0
            while let batch = Optional(try store.models(project: project.id, after: after, limit: 500)),
                let last = batch.last
            {
                after = last.id
                for model in batch {
                    if !names.insert([project.id, model.displayName]).inserted {
                        report("models/\(model.id)", "another model of its project has the name '\(model.displayName)'")
                    }
                    try check(model, store, verdicts)
                }
            }
        }
        try checkPins(store)
        try checkIdentities(store, projects: Set(projects.map(\.id)))
        try checkAudit(store)
    }

    private mutating func check(
        _ model: Model, _ store: any MetadataReader, _ verdicts: [String: Validation]
    ) throws {
        let versions = try store.versions(model: model.id)
        let releases = try store.releases(model: model.id)
        counts.models += 1
        counts.versions += versions.count
        counts.releases += releases.count
        let subject = "models/\(model.id)"
        let numbers = Set(versions.map(\.number))
        for version in versions {
            need(version.sha256, version.sizeBytes, verdicts, by: "\(subject)/versions/\(version.number)")
        }
        if model.newestVersion != versions.map(\.number).max() {
            report(subject, "its newest version is not the one that is recorded as such")
        }
        for (number, what) in [(model.releasedVersion, "released"), (model.publishWhenValidated, "to be published")] {
            if let number, !numbers.contains(number) {
                report(subject, "its version \(number), which is \(what), is not there")
            }
        }
        for release in releases where !numbers.contains(release.version) {
            report("\(subject)/releases/\(release.number)", "its version \(release.version) is not there")
        }
        if model.isPublished != releases.contains(where: { $0.endedMicroseconds == nil }) {
            report(
                subject, "it is recorded as \(model.isPublished ? "" : "not ")published, and its releases say otherwise"
            )
        }
        for alias in try store.aliases(model: model.id) where !numbers.contains(alias.version) {
            report("\(subject)/aliases/\(alias.name)", "its version \(alias.version) is not there")
        }
        checkReleased(model, versions, verdicts)
        try checkRehearsals(model, store)
    }

    /// The subjects do not name the devices, because the id of an installation is as good as a password.
    private mutating func checkPins(_ store: any MetadataReader) throws {
        for pin in try store.pins(project: nil) {
            switch pin.target {
            case .version(let number, let model):
                guard try store.model(id: model, project: pin.projectID) != nil,
                    try store.version(number, model: model) != nil
                else {
                    report("models/\(model)/pins", "its version \(number) is not there")
                    continue
                }
            case .variant(_, let experiment):
                if try store.experiment(experiment, project: pin.projectID) == nil {
                    report("experiments/\(experiment)/pins", "the experiment is not there")
                }
            }
        }
    }

    private mutating func checkExperiments(_ store: any MetadataReader, _ project: Project) throws {
        for experiment in try store.experiments(project: project.id) {
            do {
                _ = try store.points(experiment: experiment.name, project: project.id)
            } catch let error as StorageError where error.code == .corrupt {
                report("experiments/\(experiment.name)/history", "it cannot be read: \(error)")
            }
        }
    }

    /// Nothing is known about an image's bytes besides their length: the server never validates them.
    private mutating func checkRehearsals(_ model: Model, _ store: any MetadataReader) throws {
        for image in try store.rehearsalImages(model: model.id) {
            let subject = "models/\(model.id)/images/\(image.name)"
            guard let digest = SHA256Digest(hex: image.sha256) else {
                report(subject, "its hash '\(image.sha256)' is not a SHA-256")
                continue
            }
            requiredBlobs[digest] = image.sizeBytes
        }
        for record in try store.rehearsals(model: model.id) {
            let found = try store.rehearsal(
                candidate: record.candidateSHA256, baseline: record.baselineSHA256, imageSet: record.imageSet,
                model: model.id)
            if found == nil {
                report("models/\(model.id)/rehearsals", "a result is listed and cannot be found")
            }
        }
    }

    private mutating func checkReleased(
        _ model: Model, _ versions: [ModelVersion], _ verdicts: [String: Validation]
    ) {
        guard let version = versions.first(where: { $0.number == model.releasedVersion }),
            let verdict = verdicts[version.sha256]?.verdict, !verdict.isPublishable
        else { return }
        report("models/\(model.id)", "its released version \(version.number) has not passed its check")
    }

    private mutating func checkUploads(
        _ store: any MetadataReader, _ project: Project, _ verdicts: [String: Validation]
    ) throws {
        for object in try store.objects(project: project.id) {
            counts.uploads += 1
            need(object.sha256, object.sizeBytes, verdicts, by: object.uri)
        }
    }

    private mutating func need(
        _ sha256: String, _ sizeBytes: UInt64, _ verdicts: [String: Validation], by subject: String
    ) {
        guard let digest = SHA256Digest(hex: sha256) else {
            return report(subject, "its hash '\(sha256)' is not a SHA-256")
        }
        guard let known = verdicts[sha256] else { return report(subject, "nothing is recorded about its file") }
        guard known.sizeBytes == sizeBytes else {
            return report(subject, "its file is recorded with \(sizeBytes) bytes and with \(known.sizeBytes)")
        }
        if case .malformed = known.verdict {
            optionalBlobs[digest] = sizeBytes
        } else {
            requiredBlobs[digest] = sizeBytes
        }
    }

    /// Checks that the rows can be read, and that their owners exist.
    private mutating func checkIdentities(_ store: any MetadataReader, projects: Set<String>) throws {
        let accounts = Set(try store.serviceAccounts().map(\.email))
        for key in try store.accountKeys() where !accounts.contains(key.email) {
            report("keys/\(key.id)", "its service account \(key.email) is not there")
        }
        for key in try store.apiKeys() where !projects.contains(key.projectID) {
            report("apiKeys/\(key.id)", "its project \(key.projectID) is not there")
        }
        for token in try store.adminTokens() {
            if let project = token.projectID, !projects.contains(project) {
                report("adminTokens/\(token.id)", "its project \(project) is not there")
            }
        }
        _ = try store.uploadSessions()
    }

    private func checkAudit(_ store: any MetadataReader) throws {
        var before: Int64?
        while let last = try store.audit(project: nil, before: before, limit: 1000).last { before = last.id }
    }

    private mutating func report(_ subject: String, _ text: String) {
        problems.append(DataProblem("record", subject, text, remedy: Self.remedy))
    }
}
