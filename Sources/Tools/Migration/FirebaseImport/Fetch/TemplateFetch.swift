import HearthTransport

/// Takes the Remote Config templates of a Firebase project into the folder, with all versions that Firebase still has, and
/// the definitions of experiments and rollouts.
package struct TemplateFetch {
    /// Reports the versions that were fetched.
    package typealias Progress = (_ namespace: String, _ done: Int, _ count: Int) -> Void

    let account: GoogleAccount
    let connection: FirebaseConnection
    let folder: ImportFolder
    let progress: Progress

    package init(
        account: GoogleAccount, connection: FirebaseConnection, folder: ImportFolder, progress: @escaping Progress
    ) {
        self.account = account
        self.connection = connection
        self.folder = folder
        self.progress = progress
    }

    /// Those that Firebase keeps.
    private static let versionPageSize = 300
    private static let host = "firebaseremoteconfig.googleapis.com"
    package static let namespaces = ["firebase", "firebase-server"]
    package static let definitionKinds = ["experiments", "rollouts"]

    /// - Returns: the problems of single parts.
    /// - Throws: `FirebaseError` if nothing more can be fetched now.
    package func fetchAll() throws(FirebaseError) -> [FetchProblem] {
        var problems: [FetchProblem] = []
        for namespace in Self.namespaces {
            do throws(FirebaseError) {
                problems += try fetch(namespace)
            } catch {
                guard !error.endsImport else { throw error }
                problems.append(FetchProblem("Remote Config (\(namespace))", error))
            }
        }
        for kind in Self.definitionKinds {
            do throws(FirebaseError) {
                try fetchDefinitions(kind)
            } catch {
                guard !error.endsImport else { throw error }
                problems.append(FetchProblem(kind, error))
            }
        }
        return problems
    }

    private func path(_ namespace: String) -> String {
        "/v1/projects/\(account.project)/namespaces/\(namespace)/remoteConfig"
    }

    private func fetch(_ namespace: String) throws(FirebaseError) -> [FetchProblem] {
        let versions = try GooglePages(account: account, connection: connection).items(
            host: Self.host, path: path(namespace) + ":listVersions", member: "versions",
            pageSize: Self.versionPageSize,
            subject: "the versions of the Remote Config template")
        try folder.save(versions: versions, namespace)
        var known = Set(try folder.templateNumbers(namespace))
        var problems: [FetchProblem] = []
        for (index, version) in versions.enumerated() {
            guard let number = version["versionNumber"]?.integer, number > 0 else {
                problems.append(FetchProblem("Remote Config (\(namespace))", "A version has no valid number."))
                continue
            }
            // A version never changes, so one that is here needs no second call.
            if !known.contains(number) || !folder.isReadable(namespace, number) {
                do throws(FirebaseError) {
                    try folder.save(template: template(number, version, namespace), namespace, number)
                    known.insert(number)
                } catch {
                    guard !error.endsImport else { throw error }
                    problems.append(FetchProblem("version \(number) of Remote Config (\(namespace))", error))
                }
            }
            progress(namespace, index + 1, versions.count)
        }
        return problems
    }

    /// The template of a version. The list's description of the version completes that of the template.
    private func template(
        _ number: Int64, _ version: JSONValue, _ namespace: String
    ) throws(FirebaseError) -> JSONValue {
        let url = connection.url(Self.host, path(namespace), query: [("versionNumber", String(number))])
        // Google's answer has its ETag only if the client accepts compression, and this needs none.
        let answer = try account.json(
            FirebaseConnection.Call(url: url, subject: "version \(number) of the Remote Config template"),
            over: connection
        ).value
        guard case .object(var members) = answer else {
            throw FirebaseError(.malformedAnswer, "Version \(number) of the Remote Config template is not an object.")
        }
        members["version"] = .object(version.members.merging(answer["version"]?.members ?? [:]) { _, own in own })
        return .object(members)
    }

    private func fetchDefinitions(_ kind: String) throws(FirebaseError) {
        let items = try GooglePages(account: account, connection: connection).items(
            host: Self.host, path: "/v1/projects/\(account.project)/namespaces/firebase/\(kind)", member: kind,
            pageSize: 100, subject: "the list of \(kind)")
        try folder.save(definitions: items, kind)
    }
}
