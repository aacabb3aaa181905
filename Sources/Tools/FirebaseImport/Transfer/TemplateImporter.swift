package import HearthAdmin
import HearthWire

/// Brings a Remote Config template with its history to a Hearth server: versions keep their numbers, times and authors.
package struct TemplateImporter {
    package typealias Progress = (_ done: Int, _ count: Int) -> Void

    private let client: AdminClient
    private let folder: ImportFolder
    private let options: ModelImporter.Options
    private let progress: Progress

    package init(
        client: AdminClient, folder: ImportFolder, options: ModelImporter.Options, progress: @escaping Progress
    ) {
        self.client = client
        self.folder = folder
        self.options = options
        self.progress = progress
    }

    /// - Returns: what became of the template; nil if the folder has none.
    /// - Throws: ``AdminError`` if the server cannot be reached or refuses the credentials; `FirebaseError` for a damaged folder.
    package func add(_ namespace: RemoteConfigNamespace) throws -> ImportedTemplate? {
        let numbers = try folder.templateNumbers(namespace.rawValue)
        guard let newest = numbers.first else { return nil }
        var result = ImportedTemplate(namespace: namespace.rawValue, newest: newest, versions: numbers.count)
        let known = try client.templateVersions(namespace, limit: 1000)
        let byNumber = Dictionary(
            known.compactMap { version in version.versionNumber.flatMap { Int64($0) }.map { ($0, version) } },
            uniquingKeysWith: { first, _ in first })
        // Newest first: the project's first version is the one that devices get.
        for (index, number) in numbers.enumerated() {
            defer { progress(index + 1, numbers.count) }
            try add(number, namespace, byNumber, &result)
        }
        return result
    }

    private func add(
        _ number: Int64, _ namespace: RemoteConfigNamespace, _ known: [Int64: RemoteConfigVersion],
        _ result: inout ImportedTemplate
    ) throws {
        guard let json = try folder.template(namespace.rawValue, number) else { return }
        let conversion: TemplateConversion
        do throws(FirebaseError) {
            conversion = try TemplateConversion(json)
        } catch {
            result.problems.append("version \(number): \(error.message)")
            return
        }
        if number == result.newest {
            result.conditions = conversion.conditions
            result.values = conversion.values
            result.unknownMembers = conversion.unknownMembers
        }
        if let present = known[number] {
            if Self.isSame(present, conversion.template.version) {
                result.unchanged += 1
            } else {
                result.problems.append(
                    "version \(number): the server has another version of this number. Import into a new project.")
            }
            return
        }
        let active = known.keys.max()
        if let active, number > active, !options.publishes {
            result.problems.append(
                "version \(number) is newer than version \(active) on the server; --publish gives it to devices.")
            return
        }
        guard !options.isDryRun else {
            result.imported += 1
            return
        }
        do throws(AdminError) {
            let answer = try client.importTemplateVersion(
                conversion.template, namespace, activate: options.publishes)
            result.imported += 1
            if answer.place == TemplateImportBodies.Place.active.rawValue { result.isActive = true }
        } catch {
            guard error.code == .refused, [400, 409].contains(error.status) else { throw error }
            result.problems.append("version \(number): \(error.message)")
        }
    }

    /// Whether the server's version is the one of Firebase: number and time say so.
    private static func isSame(_ known: RemoteConfigVersion, _ version: RemoteConfigVersion?) -> Bool {
        let times = [known.updateTime, version?.updateTime].map { $0.flatMap { Timestamp(rfc3339: $0) }?.microseconds }
        return times[0] != nil && times[0] == times[1]
    }
}
