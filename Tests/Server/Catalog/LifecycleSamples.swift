import HearthCatalog

/// Facts to feed the rules with.
enum Sample {
    static let created: Int64 = 1_000_000
    static let later: Int64 = 2_000_000

    static let before = ModelLifecycle.Context(actor: "ann@example.test", nowMicroseconds: created)
    static let after = ModelLifecycle.Context(actor: "bob@example.test", nowMicroseconds: later)

    static let malformed = Verdict.malformed("The file ends in the middle of a table.")
    static let unsupported = Verdict.unsupported("The operator WHERE is not known here.")

    static func object(_ name: String = "a.tflite", sha256: String = "aa", verdict: Verdict = .ok) -> UploadedObject {
        UploadedObject(
            projectID: "project-a", bucket: "bucket", name: name, sha256: sha256, sizeBytes: 7, verdict: verdict,
            contractJSON: verdict.isPublishable ? "{}" : nil, createdMicroseconds: 5)
    }

    /// A model that was made with `edit`, as the rules made it.
    static func model(_ edit: ModelLifecycle.Edit) throws -> ModelLifecycle.Change {
        try ModelLifecycle.create(id: 1, projectID: "project-a", edit: edit, isTaken: false, context: before)
    }

    static func update(
        _ change: ModelLifecycle.Change, _ edit: ModelLifecycle.Edit, isTaken: Bool = false
    ) throws -> ModelLifecycle.Change {
        try ModelLifecycle.update(
            change.model, newest: change.newVersion, edit: edit, isTaken: isTaken, context: after)
    }
}

extension ModelLifecycle.Change {
    var actions: [String] { audit.map(\.action) }
}
