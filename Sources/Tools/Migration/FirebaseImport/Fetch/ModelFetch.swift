import Foundation
import HearthCrypto
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
        let models: [JSONValue]
        do throws(FirebaseError) {
            models = try list(account)
        } catch {
            // The rest of the project may still be there, as after the end of the hosting.
            guard !error.endsImport else { throw error }
            return [FetchProblem("the models", error)]
        }
        var problems: [FetchProblem] = []
        var names: Set<String> = []
        var items: [(name: String, item: JSONValue)] = []
        for model in models {
            let name = model["displayName"]?.text ?? ""
            if !WireNames.isDisplayName(name) {
                let id = model["name"]?.text ?? "a model"
                problems.append(
                    FetchProblem(id, "Its name '\(name.prefix(40))' is not possible here. Rename it in Firebase first.")
                )
            } else if !names.insert(name).inserted {
                problems.append(
                    FetchProblem(
                        name, "Another model has the same name; only the first is imported. Rename one in Firebase."))
            } else {
                items.append((name: name, item: model))
            }
        }
        return try problems
            + each(items) { item, progress throws(FirebaseError) in
                try fetch(item.item, item.name, account, installation, progress)
            } hint: { _ in
                ""
            }
    }

    /// Fetches one after the other. What is wrong with one of them stops the others only if it concerns them, too.
    private func each<Item>(
        _ items: [(name: String, item: Item)],
        _ fetch: (
            (name: String, item: Item), _ progress: @escaping (UInt64, UInt64?) -> Void
        ) throws(FirebaseError) -> Void, hint: (FirebaseError) -> String
    ) throws(FirebaseError) -> [FetchProblem] {
        var problems: [FetchProblem] = []
        var isUnreachable = false
        for (index, item) in items.enumerated() {
            do throws(FirebaseError) {
                try fetch(item) { progress(item.name, index + 1, items.count, $0, $1) }
                isUnreachable = false
            } catch {
                // One place that never answers must not keep the other models away for ever; two in a row are the network.
                let isFirst = error.code == .unreachable && !isUnreachable
                guard !error.endsImport || isFirst else { throw error }
                isUnreachable = error.code == .unreachable
                problems.append(FetchProblem(item.name, error.sentence + hint(error)))
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
        let known = known(name)
        if known.map({ isSame($0, model) }) == true || FirebaseModel(model).namedSHA256 != nil,
            try hasBytes(of: name, FirebaseModel(model))
        {
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
        let download = ModelFileDownload(
            connection: connection, path: folder.modelFile(name), name: name,
            expected: .init(hash: facts.hash, sizeBytes: facts.sizeBytes, identity: facts.hash ?? facts.version),
            progress: progress)
        let renew = { (error: FirebaseError) in
            if facts.storageURI == nil { return [400, 401, 403].contains(error.status) }
            account.forgetToken()
            return error.status == 401
        }
        let result = try download.run(renew: renew) { () throws(FirebaseError) in
            if let uri = facts.storageURI { return try storageCall(uri, name, account) }
            guard let installation else { throw FirebaseError(.refused, "Firebase does not say where the bytes are.") }
            return FirebaseConnection.Call(
                url: try installation.download(of: name, over: connection).url, subject: "the bytes of \(name)")
        }
        try keep(result, model, name)
    }

    /// Writes down that the bytes are whole.
    private func keep(_ result: ModelFileDownload.Result, _ about: JSONValue, _ name: String) throws(FirebaseError) {
        folder.removeUnfinished(name)
        try folder.save(sha256: result.sha256, isConfirmed: result.isConfirmed, name)
        try folder.save(about, name)
    }

    /// What an earlier run wrote about a model. If that is damaged, the model is fetched again.
    private func known(_ name: String) -> JSONValue? { (try? folder.model(name)) ?? nil }

    /// Whether the folder has the bytes of a model, undamaged.
    private func hasBytes(of name: String, _ facts: FirebaseModel) throws(FirebaseError) -> Bool {
        guard let size = folder.modelSize(name), facts.sizeBytes.map({ $0 == size }) != false else { return false }
        let written = folder.modelHash(name)
        guard let wanted = facts.namedSHA256 ?? written?.sha256 else { return true }
        let found = try FirebaseError.mappingFileError { () throws(FileError) in
            try FileDigest.sha256(folder.modelFile(name)).hex
        }
        guard found == wanted else { return false }
        if written?.sha256 != found { try folder.save(sha256: found, isConfirmed: facts.namedSHA256 != nil, name) }
        return true
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
        try each(names.map { (name: $0, item: ()) }) { item, progress throws(FirebaseError) in
            try fetch(item.name, installation, progress)
        } hint: {
            $0.status == 404 ? " It is not there, or not published." : ""
        }
    }

    private func fetch(
        _ name: String, _ installation: AppInstallation, _ progress: @escaping (UInt64, UInt64?) -> Void
    ) throws(FirebaseError) {
        let first = try installation.download(of: name, over: connection)
        let about = FirebaseModel.published(name, hash: first.hash, sizeBytes: first.sizeBytes)
        // A description that came with a service account says more than this one.
        if let known = known(name), known == about || isSame(known, about), !first.hash.isEmpty,
            try hasBytes(of: name, FirebaseModel(about))
        {
            return
        }
        let download = ModelFileDownload(
            connection: connection, path: folder.modelFile(name), name: name,
            expected: .init(hash: first.hash, sizeBytes: first.sizeBytes, identity: first.hash), progress: progress)
        var url: String? = first.url
        // An expired address is refused with 400.
        let result = try download.run(renew: { [400, 401, 403].contains($0.status) }) { () throws(FirebaseError) in
            defer { url = nil }
            if let url { return FirebaseConnection.Call(url: url, subject: "the bytes of \(name)") }
            let again = try installation.download(of: name, over: connection)
            return FirebaseConnection.Call(url: again.url, subject: "the bytes of \(name)")
        }
        try keep(result, about, name)
    }

    // MARK: By the console's command

    /// The files of the console's command.
    ///
    /// - Returns: the problems of single files.
    package func fetch(_ command: BulkDownloadCommand) throws(FirebaseError) -> [FetchProblem] {
        try each(command.items.map { (name: $0.name, item: $0) }) { item, progress throws(FirebaseError) in
            try fetch(item.item, progress)
        } hint: {
            $0.code == .refused
                ? " The links of a bulk download work for 7 days: get a new command in the Firebase console." : ""
        }
    }

    private func fetch(
        _ item: BulkDownloadCommand.Item, _ progress: @escaping (UInt64, UInt64?) -> Void
    ) throws(FirebaseError) {
        // A link names the object before its signature.
        let object = String(item.url.prefix { $0 != "?" })
        let about = JSONValue.object(["displayName": .text(item.name), "source": .text(object)])
        if known(item.name) == about, try hasBytes(of: item.name, FirebaseModel(about)) { return }
        let download = ModelFileDownload(
            connection: connection, path: folder.modelFile(item.name), name: item.name,
            expected: .init(hash: nil, sizeBytes: nil, identity: object), progress: progress)
        let result = try download.run { () throws(FirebaseError) in
            FirebaseConnection.Call(url: item.url, subject: "the bytes of \(item.name)")
        }
        try keep(result, about, item.name)
    }
}
