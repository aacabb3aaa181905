/// A model of the source, with its bytes in a local file.
package struct SourceModel: Hashable, Sendable {
    /// The display name, as Firebase has it: Hearth's rules for names are the same.
    package var name: String
    package var path: String
    package var sizeBytes: UInt64
    package var tags: [String] = []
    /// Whether devices got it from Firebase; nil if the source does not say.
    package var wasPublished: Bool?
    /// The SHA-256 that the bytes had when they came; nil if nobody wrote it down.
    package var expectedSHA256: String?
    /// Whether the source names a hash or a checksum that the bytes have.
    package var isHashConfirmed = false

    package init(name: String, path: String, sizeBytes: UInt64) {
        self.name = name
        self.path = path
        self.sizeBytes = sizeBytes
    }
}

extension ImportFolder {
    /// The models of the folder, and why others are missing.
    package struct Sources {
        package var models: [SourceModel] = []
        /// Those whose bytes Firebase did not give out.
        package var withoutBytes: [FetchProblem] = []
        /// Those whose files in the folder are damaged.
        package var damaged: [FetchProblem] = []
        /// Members that this program does not know.
        package var unknown: [FetchProblem] = []
    }

    /// - Parameter hasPlist: whether the import has the app's plist, for the advice about models without bytes.
    package func sources(hasPlist: Bool = false) throws(FirebaseError) -> Sources {
        var sources = Sources()
        let described = try modelNames()
        for name in described {
            let facts: FirebaseModel
            do throws(FirebaseError) {
                guard let about = try model(name) else { continue }
                facts = FirebaseModel(about)
            } catch {
                sources.damaged.append(FetchProblem(name, error))
                continue
            }
            if !facts.unknownMembers.isEmpty {
                sources.unknown.append(FetchProblem(name, facts.unknownMembers.joined(separator: ", ")))
            }
            guard let size = modelSize(name) else {
                if facts.gaveBytes || modelHash(name) != nil {
                    sources.damaged.append(FetchProblem(name, "Its file in the folder is missing. \(Self.repair)"))
                } else {
                    sources.withoutBytes.append(FetchProblem(name, facts.reasonWithoutBytes(hasPlist: hasPlist)))
                }
                continue
            }
            var model = SourceModel(name: name, path: modelFile(name), sizeBytes: size)
            model.tags = facts.tags
            model.wasPublished = facts.isStateKnown ? facts.isPublished : nil
            let known = modelHash(name)
            let named = facts.namedSHA256
            model.expectedSHA256 = named ?? known?.sha256
            model.isHashConfirmed = named != nil || known?.isConfirmed == true
            sources.models.append(model)
        }
        for name in try fileNames() where !described.contains(name) {
            sources.damaged.append(
                FetchProblem(name, "Its description in the folder is missing. \(Self.repair)"))
        }
        return sources
    }
}
