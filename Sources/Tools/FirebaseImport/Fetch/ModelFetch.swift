import Foundation
import HearthFiles
import HearthWire

/// Takes the models of a Firebase project into the folder: what Firebase says about each one, and its bytes.
package struct ModelFetch {
    /// Reports the bytes of a model during its download.
    package typealias Progress = (_ model: String, _ number: Int, _ count: Int, _ received: UInt64, _ total: UInt64?) ->
        Void

    let connection: FirebaseConnection
    let folder: ImportFolder
    let progress: Progress

    package init(connection: FirebaseConnection, folder: ImportFolder, progress: @escaping Progress) {
        self.connection = connection
        self.folder = folder
        self.progress = progress
    }

    // MARK: With a service account

    /// The most models of one page, which is Google's own limit.
    private static let pageSize = 100

    /// All models of the account's project.
    ///
    /// - Parameter installation: gives the bytes of published models whose place in the storage Firebase does not name.
    /// - Returns: the problems of single models.
    /// - Throws: `FirebaseError` if no further model can be fetched now; what is in the folder stays.
    package func fetchAll(
        _ account: GoogleAccount, installation: AppInstallation?
    ) throws(FirebaseError) -> [FetchProblem] {
        let models = try list(account)
        var problems: [FetchProblem] = []
        for (index, model) in models.enumerated() {
            let name = model["displayName"]?.text ?? ""
            guard WireNames.isDisplayName(name) else {
                let id = model["name"]?.text ?? "a model"
                problems.append(
                    FetchProblem(id, "Its name '\(name.prefix(40))' is not possible here. Rename it in Firebase first.")
                )
                continue
            }
            do throws(FirebaseError) {
                try fetch(model, name, account, installation) { progress(name, index + 1, models.count, $0, $1) }
            } catch {
                guard !error.endsImport else { throw error }
                problems.append(FetchProblem(name, error))
            }
        }
        return problems
    }

    private func list(_ account: GoogleAccount) throws(FirebaseError) -> [JSONValue] {
        try GooglePages(account: account, connection: connection).items(
            host: "firebaseml.googleapis.com", path: "/v1beta2/projects/\(account.project)/models", member: "models",
            pageSize: Self.pageSize, subject: "the list of models")
    }

    private func fetch(
        _ model: JSONValue, _ name: String, _ account: GoogleAccount, _ installation: AppInstallation?,
        _ progress: @escaping (UInt64, UInt64?) -> Void
    ) throws(FirebaseError) {
        if let known = try folder.model(name), isSame(known, model), folder.modelSize(name) != nil {
            // Its name, tags or state may have changed.
            if known != model { try folder.save(model, name) }
            return
        }
        let facts = FirebaseModel(model)
        let hasPlace = facts.storageURI != nil || (facts.isPublished && installation != nil)
        guard hasPlace, !facts.isRefused else {
            // Saved without bytes, so that the report can say why.
            return try folder.save(model, name)
        }
        let download = ModelDownload(
            connection: connection, path: folder.modelFile(name), name: name,
            expected: .init(hash: facts.hash, sizeBytes: facts.sizeBytes, identity: facts.hash ?? facts.version),
            progress: progress)
        let renew = { (error: FirebaseError) in
            if facts.storageURI == nil { return [400, 401, 403].contains(error.status) }
            account.forgetToken()
            return error.status == 401
        }
        _ = try download.run(renew: renew) { () throws(FirebaseError) in
            if let uri = facts.storageURI { return try storageCall(uri, name, account) }
            guard let installation else { throw FirebaseError(.refused, "Firebase does not say where the bytes are.") }
            return FirebaseConnection.Call(
                url: try installation.download(of: name, over: connection).url, subject: "the bytes of \(name)")
        }
        try folder.save(model, name)
    }

    /// Whether the bytes of two descriptions of a model are the same.
    private func isSame(_ known: JSONValue, _ model: JSONValue) -> Bool {
        let (old, new) = (FirebaseModel(known), FirebaseModel(model))
        if let hash = new.hash { return old.hash == hash }
        return old.hash == nil && old.version == new.version
    }

    private func storageCall(
        _ uri: String, _ name: String, _ account: GoogleAccount
    ) throws(FirebaseError) -> FirebaseConnection.Call {
        let parts = uri.dropFirst("gs://".count).split(separator: "/", maxSplits: 1)
        guard uri.hasPrefix("gs://"), parts.count == 2 else {
            throw FirebaseError(.malformedAnswer, "Firebase names no valid place of the bytes: \(uri.prefix(100))")
        }
        let path =
            "/storage/v1/b/\(FirebaseConnection.encoded(String(parts[0])))/o/"
            + FirebaseConnection.encoded(String(parts[1]))
        return try account.signed(
            FirebaseConnection.Call(
                url: connection.url("storage.googleapis.com", path, query: [("alt", "media")]),
                subject: "the bytes of \(name)"), connection)
    }

    // MARK: As a device

    /// Published models, as a device gets them.
    ///
    /// - Returns: the problems of single models.
    package func fetch(_ names: [String], _ installation: AppInstallation) throws(FirebaseError) -> [FetchProblem] {
        var problems: [FetchProblem] = []
        for (index, name) in names.enumerated() {
            do throws(FirebaseError) {
                try fetch(name, installation) { progress(name, index + 1, names.count, $0, $1) }
            } catch {
                guard !error.endsImport else { throw error }
                let hint = error.status == 404 ? " It is not there, or not published." : ""
                problems.append(FetchProblem(name, error.message + hint))
            }
        }
        return problems
    }

    private func fetch(
        _ name: String, _ installation: AppInstallation, _ progress: @escaping (UInt64, UInt64?) -> Void
    ) throws(FirebaseError) {
        let first = try installation.download(of: name, over: connection)
        let about = FirebaseModel.published(name, hash: first.hash, sizeBytes: first.sizeBytes)
        if try folder.model(name) == about, folder.modelSize(name) != nil { return }
        let download = ModelDownload(
            connection: connection, path: folder.modelFile(name), name: name,
            expected: .init(hash: first.hash, sizeBytes: first.sizeBytes, identity: first.hash), progress: progress)
        var url: String? = first.url
        // An expired address is refused with 400.
        _ = try download.run(renew: { [400, 401, 403].contains($0.status) }) { () throws(FirebaseError) in
            defer { url = nil }
            if let url { return FirebaseConnection.Call(url: url, subject: "the bytes of \(name)") }
            let again = try installation.download(of: name, over: connection)
            return FirebaseConnection.Call(url: again.url, subject: "the bytes of \(name)")
        }
        try folder.save(about, name)
    }

    // MARK: By the console's command

    /// The files of the console's command.
    ///
    /// - Returns: the problems of single files.
    package func fetch(_ command: BulkDownloadCommand) throws(FirebaseError) -> [FetchProblem] {
        var problems: [FetchProblem] = []
        for (index, item) in command.items.enumerated() {
            do throws(FirebaseError) {
                try fetch(item) { progress(item.name, index + 1, command.items.count, $0, $1) }
            } catch {
                guard !error.endsImport else { throw error }
                let hint =
                    error.code == .refused
                    ? " The links of a bulk download work for 7 days: get a new command in the Firebase console." : ""
                problems.append(FetchProblem(item.name, error.message + hint))
            }
        }
        return problems
    }

    private func fetch(
        _ item: BulkDownloadCommand.Item, _ progress: @escaping (UInt64, UInt64?) -> Void
    ) throws(FirebaseError) {
        // A link names the object before its signature.
        let object = String(item.url.prefix { $0 != "?" })
        let about = JSONValue.object(["displayName": .text(item.name), "source": .text(object)])
        if try folder.model(item.name) == about, folder.modelSize(item.name) != nil { return }
        let download = ModelDownload(
            connection: connection, path: folder.modelFile(item.name), name: item.name,
            expected: .init(hash: nil, sizeBytes: nil, identity: object), progress: progress)
        _ = try download.run { () throws(FirebaseError) in
            FirebaseConnection.Call(url: item.url, subject: "the bytes of \(item.name)")
        }
        try folder.save(about, item.name)
    }
}
