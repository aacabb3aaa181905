package import HearthAdmin
import HearthCalls
import HearthWire

/// Makes drafts on a Hearth server out of the definitions of Firebase's experiments.
package struct ExperimentImporter {
    private let client: AdminClient
    private let folder: ImportFolder
    private let options: ImportOptions

    package init(client: AdminClient, folder: ImportFolder, options: ImportOptions) {
        self.client = client
        self.folder = folder
        self.options = options
    }

    /// - Throws: ``AdminError`` if the server cannot be reached or refuses the credentials; `FirebaseError` for a damaged folder.
    package func addAll() throws -> [ImportedExperiment] {
        let definitions = try folder.definitions("experiments")
        let rollouts = try folder.definitions("rollouts").map(ImportedExperiment.rollout)
        guard !definitions.isEmpty else { return rollouts }
        var template: RemoteConfigTemplate?
        // A damaged template is reported with the templates.
        if let newest = try folder.templateNumbers("firebase").first,
            let json = try? folder.template("firebase", newest)
        {
            template = (try? TemplateConversion(json))?.template
        }
        let known = Set(try client.experiments().map(\.definition.name))
        return try definitions.map { try add(ExperimentConversion($0, template: template), known) } + rollouts
    }

    private func add(_ conversion: ExperimentConversion, _ known: Set<String>) throws(AdminError) -> ImportedExperiment
    {
        var result = ImportedExperiment(conversion)
        guard let definition = conversion.definition else {
            result.needsYou = !conversion.hasEnded
            return result
        }
        if known.contains(definition.name) {
            result.result = .unchanged
            return result
        }
        result.result = .draft
        guard !options.isDryRun else { return result }
        do throws(AdminError) {
            _ = try client.createExperiment(definition)
        } catch {
            guard error.code == .refused, [400, 409].contains(error.status) else { throw error }
            result.result = .definitionOnly
            result.needsYou = true
            result.notes.append("the server takes no draft: \(error.message)")
        }
        return result
    }
}
