import HearthCatalog
import HearthCrypto
import HearthStorage
import HearthWire

/// Makes a main server's data folder of a follower's.
package struct Promotion {
    /// What the folder has.
    package struct Result: Sendable, Codable {
        package var folder: String
        package var main: String
        package var revision: Int64
        package var projects: Int
        package var models: Int
        package var versions: Int
        /// The versions whose files are not here, by `model/number`. They cannot be released until they are uploaded again.
        package var versionsWithoutFile: [String]
    }

    private let folder: DataFolder

    package init(dataFolder: String) throws { folder = try DataFolder(path: dataFolder) }

    /// Blocks. No server may use the folder.
    package func run() throws -> Result {
        let now = Timestamp.now
        let layout = folder.layout
        guard var state = try FollowState(layout) else {
            throw ServerStartError("The data folder \(layout.path) is not that of a follower; nothing was changed.")
        }
        guard state.promotedTime == nil else {
            throw ServerStartError(
                "The data folder \(layout.path) is that of a main server since \(state.promotedTime ?? ""); nothing was changed."
            )
        }
        guard !state.server.isEmpty else {
            throw ServerStartError("The follower never got a state of \(state.main); nothing was changed.")
        }
        let lock = try DataFolderLock(layout)
        defer { lock.release() }
        let data = try ServerData(in: folder)
        let present = Set(try data.blobs.digests().map(\.hex))
        var result = Result(
            folder: layout.path, main: state.main, revision: state.revision, projects: 0, models: 0, versions: 0,
            versionsWithoutFile: [])
        try data.metadata.read { store in
            for project in try store.projects() {
                result.projects += 1
                for model in try store.models(project: project.id, after: 0, limit: .max) {
                    result.models += 1
                    for version in try store.versions(model: model.id) {
                        result.versions += 1
                        guard !present.contains(version.sha256) else { continue }
                        result.versionsWithoutFile.append("\(model.displayName)/\(version.number)")
                    }
                }
            }
        }
        for id in try data.blobs.resumable() { try data.blobs.removeResumable(id) }
        try data.metadata.write { store in
            // The main server, which should have heard of them, is gone.
            while case let unsent = try store.unsentInstallations(limit: 1000), !unsent.isEmpty {
                try store.noteSent(unsent)
            }
            try store.append(
                AuditEntry(
                    projectID: "", actor: "server", action: "server.promote", subject: "server",
                    detail: "a copy of \(state.main), revision \(state.revision)", atMicroseconds: now.microseconds))
        }
        state.promotedTime = now.rfc3339(fractionDigits: 0)
        state.partial = [:]
        try state.write(layout)
        return result
    }
}
