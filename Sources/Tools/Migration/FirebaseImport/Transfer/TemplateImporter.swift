package import HearthAdmin
import HearthCalls
import HearthWire

/// Brings a Remote Config template with its history to a Hearth server: versions keep their numbers, times and authors.
package struct TemplateImporter {
    package typealias Progress = (_ done: Int, _ count: Int) -> Void

    private let client: AdminClient
    private let folder: ImportFolder
    private let options: ImportOptions
    private let progress: Progress

    package init(
        client: AdminClient, folder: ImportFolder, options: ImportOptions, progress: @escaping Progress
    ) {
        self.client = client
        self.folder = folder
        self.options = options
        self.progress = progress
    }

    /// - Returns: what became of the template; nil if the folder has none.
    /// - Throws: ``AdminError`` if the server cannot be reached or refuses the credentials; `FirebaseError` for a damaged folder.
    package func add(_ namespace: RemoteConfigNamespace) throws -> ImportedTemplate? {
        let present = try folder.templateNumbers(namespace.rawValue)
        var problems: [String] = []
        var missing: [Int64] = []
        do throws(FirebaseError) {
            missing = try folder.missingTemplateNumbers(namespace.rawValue)
        } catch {
            problems.append(error.message)
        }
        let numbers = (present + missing).sorted(by: >)
        guard let newest = numbers.first else { return nil }
        var result = ImportedTemplate(namespace: namespace.rawValue, newest: newest, versions: present.count)
        result.problems = problems
        if !missing.isEmpty { result.problems.append(Self.text(missing: missing)) }
        var state = State(try server(namespace, numbers), missing: Set(missing))
        // Newest first: the project's first version is the one that devices get.
        for (index, number) in numbers.enumerated() {
            try add(number, namespace, &state, &result)
            progress(index + 1, numbers.count)
        }
        finish(namespace, state, &result)
        return result
    }

    /// What the server has of the template before the import.
    private struct Present {
        var versions: [Int64: RemoteConfigVersion] = [:]
        /// The versions that the project made itself after the last one that Firebase has, too. They took these numbers.
        var own: [Int64] = []
    }

    private func server(_ namespace: RemoteConfigNamespace, _ numbers: [Int64]) throws(AdminError) -> Present {
        var present = Present()
        for version in try client.templateVersions(namespace, limit: 1000) {
            guard let number = version.versionNumber.flatMap({ Int64($0) }) else { continue }
            present.versions[number] = version
        }
        let common = numbers.first { number in
            present.versions[number].map {
                Self.haveSameTime($0.updateTime, folder.updateTime(namespace.rawValue, number))
            } == true
        }
        // The server may have removed all that came from Firebase: it keeps no old versions.
        present.own = present.versions.keys.filter { $0 > common ?? 0 }.sorted()
        return present
    }

    private struct State {
        let server: Present
        /// Versions of the list that are not in the folder.
        let missing: Set<Int64>
        /// The version that devices get.
        var active: Int64?
        /// Versions above it that wait for `--publish`.
        var newer = 0
        /// Versions whose numbers the project itself took, highest first.
        var clashing: [Int64] = []
        /// Other versions of which the server has another one of the number, highest first.
        var different: [Int64] = []
        /// Whether a version that should have become the active one failed: then no older one may take its place.
        var isHeld = false
        var held = 0

        init(_ server: Present, missing: Set<Int64>) {
            self.server = server
            self.missing = missing
            active = server.versions.keys.max()
        }
    }

    private func add(
        _ number: Int64, _ namespace: RemoteConfigNamespace, _ state: inout State, _ result: inout ImportedTemplate
    ) throws {
        let becomesActive = state.active.map { $0 < number } ?? true
        guard !state.missing.contains(number) else {
            if becomesActive { state.isHeld = true }
            return
        }
        if let first = state.server.own.first, number >= first {
            state.clashing.append(number)
            return
        }
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
        if let present = state.server.versions[number] {
            if Self.haveSameTime(present.updateTime, conversion.template.version?.updateTime) {
                result.unchanged += 1
            } else {
                state.different.append(number)
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

    private func finish(_ namespace: RemoteConfigNamespace, _ state: State, _ result: inout ImportedTemplate) {
        if !state.clashing.isEmpty {
            result.problems.append(clash(namespace, state.clashing, own: state.server.own))
        }
        if !state.different.isEmpty {
            result.problems.append(
                "\(Self.range(state.different)): the server has something else under this number. Import into a new project."
            )
        }
        if let active = state.active, state.newer > 0 {
            result.waiting = """
                \(Quantity.text(state.newer, "version")) up to \(result.newest): newer than version \(active) on the server. --publish \
                gives the newest one to devices.
                """
        }
        if state.held > 0 {
            result.problems.append(
                """
                \(Quantity.text(state.held, "older version")): not imported, because one would become the version that devices get. \
                Correct the newest one in Firebase or in its file, and run the import again.
                """)
        }
    }

    private func clash(_ namespace: RemoteConfigNamespace, _ numbers: [Int64], own: [Int64]) -> String {
        let option = namespace == .client ? "" : " --namespace \(namespace.rawValue)"
        let file = "\(folder.path)/remote-config/\(namespace.rawValue)/\(numbers[0]).json"
        let publish = options.publishes ? " --publish does not replace it." : ""
        return """
            this project changed its template itself: \(Self.range(own)) here \(own.count == 1 ? "is" : "are") its own. So \
            Firebase's \(Self.range(numbers)) cannot come under \(numbers.count == 1 ? "its number" : "their numbers"), and devices \
            keep the project's template.\(publish) Compare \(file) with hearth remoteconfig get\(option), and put what is missing with \
            hearth remoteconfig put FILE\(option). Or import into a new project.
            """
    }

    private static func text(missing numbers: [Int64]) -> String {
        let files = numbers.count == 1 ? "its file is" : "their files are"
        return "\(range(numbers)): \(files) missing from the folder. \(ImportFolder.repair)"
    }

    /// Such as "version 21", "versions 21 to 23" or "3 versions between 21 and 40".
    private static func range(_ numbers: [Int64]) -> String {
        let sorted = numbers.sorted()
        switch sorted.count {
        case 1: return "version \(sorted[0])"
        case let count where sorted[count - 1] - sorted[0] == count - 1:
            return "versions \(sorted[0]) to \(sorted[count - 1])"
        case let count: return "\(count) versions between \(sorted[0]) and \(sorted[count - 1])"
        }
    }

    private func conversion(
        _ number: Int64, _ namespace: RemoteConfigNamespace
    ) throws(FirebaseError) -> TemplateConversion {
        guard let json = try folder.template(namespace.rawValue, number) else {
            throw FirebaseError(.invalidFile, "Its file in the folder is missing. \(ImportFolder.repair)")
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

    /// Whether two versions of one number are the same: Firebase's time has microseconds, and nobody else's version has it.
    private static func haveSameTime(_ one: String?, _ other: String?) -> Bool {
        let times = [one, other].map { $0.flatMap { Timestamp(rfc3339: $0) }?.microseconds }
        return times[0] != nil && times[0] == times[1]
    }
}
