import HearthCalls
import HearthCatalog
import HearthValidation
import HearthWire

/// How images and rehearsals look on the wire.
enum RehearsalPresentation {
    static func image(_ image: RehearsalImage) -> RehearsalBodies.Image {
        RehearsalBodies.Image(
            name: image.name, label: image.label, sha256: image.sha256, sizeBytes: String(image.sizeBytes),
            createTime: WireTime.text(image.createdMicroseconds), createdBy: image.createdBy)
    }

    static func id(of record: RehearsalRecord) -> String {
        RehearsalQueue.id(
            model: record.modelID, candidate: record.candidateSHA256, baseline: record.baselineSHA256,
            imageSet: record.imageSet)
    }

    /// A finished rehearsal; with its images if the record has them.
    ///
    /// - Parameter imageSet: the digest of the model's present images.
    static func rehearsal(
        _ record: RehearsalRecord, of model: Model, imageSet: String
    ) throws -> RehearsalBodies.Rehearsal {
        var body = RehearsalBodies.Rehearsal(
            rehearsal: id(of: record), version: record.candidateVersion, against: record.baselineVersion,
            state: "done", createTime: WireTime.text(record.createdMicroseconds), createdBy: record.createdBy)
        // As it was stored: the check before a release judges the same, and sees no images.
        let summary = try WireJSON.decode(RehearsalBodies.Summary.self, from: record.summaryJSON.utf8)
        if !record.imagesJSON.isEmpty {
            body.images = try WireJSON.decode([RehearsalBodies.Comparison].self, from: record.imagesJSON.utf8)
        }
        body.summary = summary
        body.isOutdated = record.imageSet == imageSet ? nil : true
        body.verdict = model.rehearsalGate.flatMap { try? RehearsalGate($0) }?
            .verdict(on: summary, hasNotes: body.images != nil)
        return body
    }

    /// A rehearsal without a result.
    static func rehearsal(_ progress: RehearsalQueue.Progress) -> RehearsalBodies.Rehearsal {
        let request = progress.request
        var body = RehearsalBodies.Rehearsal(
            rehearsal: request.id, version: request.candidate.number, against: request.baseline?.number,
            state: progress.failure != nil ? "failed" : progress.isRunning ? "running" : "queued",
            createTime: WireTime.text(progress.requestedMicroseconds), createdBy: request.actor)
        body.finishedRuns = progress.finishedRuns
        body.runs = progress.runs
        body.failure = progress.failure
        return body
    }
}
