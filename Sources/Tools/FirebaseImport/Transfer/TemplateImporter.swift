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
        var state = State(known: byNumber, active: byNumber.keys.max())
        // Newest first: the project's first version is the one that devices get.
        for (index, number) in numbers.enumerated() {
            try add(number, namespace, &state, &result)
            progress(index + 1, numbers.count)
        }
        if let active = state.active, state.newer > 0 {
            result.waiting = """
                \(Quantity.text(state.newer, "version")) up to \(newest): newer than version \(active) on the server. --publish gives \
                the newest one to devices.
                """
        }
        if state.held > 0 {
            result.problems.append(
                """
                \(Quantity.text(state.held, "older version")): not imported, because one would become the version that devices get. \
                Correct the newest one in Firebase or in its file, and run the import again.
                """)
        }
        return result
    }

    private struct State {
        /// The server's versions before the import.
        var known: [Int64: RemoteConfigVersion]
        /// The version that devices get.
        var active: Int64?
        /// Versions above it that wait for `--publish`.
        var newer = 0
        /// Whether a version that should have become the active one failed: then no older one may take its place.
        var isHeld = false
        var held = 0
    }

    private func add(
        _ number: Int64, _ namespace: RemoteConfigNamespace, _ state: inout State, _ result: inout ImportedTemplate
    ) throws {
        let becomesActive = state.active.map { $0 < number } ?? true
        guard !becomesActive || !state.isHeld else {
            state.held += 1
            return
        }
        let conversion: TemplateConversion
        do throws(FirebaseError) {
            conversion = try self.conversion(number, namespace)
        } catch {
            result.problems.append("version \(number): \(error.message)")
            state.isHeld = becomesActive
            return
        }
        if number == result.newest {
            result.conditions = conversion.conditions
            result.values = conversion.values
            result.todo = conversion.todo
            result.unknownMembers = conversion.unknownMembers
        }
        if let present = state.known[number] {
            if Self.isSame(present, conversion.template.version) {
                result.unchanged += 1
            } else {
                result.problems.append(
                    "version \(number): the server has another version of this number. Import into a new project.")
            }
            return
        }
        if becomesActive, state.active != nil, !options.publishes {
            state.newer += 1
            return
        }
        do throws(AdminError) {
            let isActive = try send(conversion.template, namespace, becomesActive: becomesActive)
            result.imported += 1
            guard isActive else { return }
            result.isActive = true
            state.active = number
        } catch {
            guard error.code == .refused, [400, 409, 413].contains(error.status) else { throw error }
            result.problems.append("version \(number): \(error.message)")
            state.isHeld = becomesActive
        }
    }

    private func conversion(
        _ number: Int64, _ namespace: RemoteConfigNamespace
    ) throws(FirebaseError) -> TemplateConversion {
        guard let json = try folder.template(namespace.rawValue, number) else {
            throw FirebaseError(.invalidFile, "Its file in the folder is missing.")
        }
        let conversion = try TemplateConversion(json, isForServers: namespace == .server)
        guard conversion.template.version?.versionNumber == String(number) else {
            throw FirebaseError(.invalidFile, "Its file in the folder has another version's number.")
        }
        return conversion
    }

    /// - Returns: whether devices get the version now. A dry run lets the server check a version that they would get.
    private func send(
        _ template: RemoteConfigTemplate, _ namespace: RemoteConfigNamespace, becomesActive: Bool
    ) throws(AdminError) -> Bool {
        guard !options.isDryRun else {
            if becomesActive { _ = try client.putTemplate(template, namespace, ifMatch: "*", validateOnly: true) }
            return becomesActive
        }
        let answer = try client.importTemplateVersion(template, namespace, activate: options.publishes)
        return answer.place == TemplateImportBodies.Place.active.rawValue
    }

    /// Whether the server's version is the one of Firebase: number and time say so.
    private static func isSame(_ known: RemoteConfigVersion, _ version: RemoteConfigVersion?) -> Bool {
        let times = [known.updateTime, version?.updateTime].map { $0.flatMap { Timestamp(rfc3339: $0) }?.microseconds }
        return times[0] != nil && times[0] == times[1]
    }
}
