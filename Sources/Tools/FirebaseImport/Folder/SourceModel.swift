/// A model of the source, with its bytes in a local file.
package struct SourceModel: Hashable, Sendable {
    /// The display name, as Firebase has it: Hearth's rules for names are the same.
    package var name: String
    package var path: String
    package var sizeBytes: UInt64
    package var tags: [String] = []
    /// Whether devices got it from Firebase; nil if the source does not say.
    package var wasPublished: Bool?
    /// Whether the bytes were compared with a hash of the source.
    package var isHashConfirmed = false

    package init(name: String, path: String, sizeBytes: UInt64) {
        self.name = name
        self.path = path
        self.sizeBytes = sizeBytes
    }
}

extension ImportFolder {
    /// The models whose bytes are in the folder, and why the others' are not.
    package func sources() throws(FirebaseError) -> (
        models: [SourceModel], problems: [FetchProblem], unknown: [FetchProblem]
    ) {
        var models: [SourceModel] = []
        var problems: [FetchProblem] = []
        var unknown: [FetchProblem] = []
        for (name, about) in try self.models() {
            let facts = FirebaseModel(about)
            if !facts.unknownMembers.isEmpty {
                unknown.append(FetchProblem(name, facts.unknownMembers.joined(separator: ", ")))
            }
            guard let size = modelSize(name) else {
                problems.append(FetchProblem(name, facts.reasonWithoutBytes))
                continue
            }
            var model = SourceModel(name: name, path: modelFile(name), sizeBytes: size)
            model.tags = facts.tags
            model.wasPublished = facts.isStateKnown ? facts.isPublished : nil
            model.isHashConfirmed = facts.hash.flatMap(ModelDownload.Expectation.sha256) != nil
            models.append(model)
        }
        return (models, problems, unknown)
    }
}
