/// What an import did, and what it could not do.
package struct ImportReport: Codable, Hashable, Sendable {
    /// This never changes until a user of Firebase has tried it.
    package var wasTriedWithGoogle = false
    package var isDryRun: Bool
    package var models: [ImportedModel] = []
    package var templates: [ImportedTemplate] = []
    package var experiments: [ImportedExperiment] = []
    /// Entries of the folder that are no models.
    package var ignored: [HostedModelsFolder.IgnoredFile] = []
    /// What could not be taken from Firebase, and may be another time.
    package var problems: [FetchProblem] = []
    /// Models whose bytes Firebase does not give out.
    package var withoutBytes: [FetchProblem] = []
    /// Members that this program does not know, by model; the folder keeps them.
    package var unknownMembers: [FetchProblem] = []
    /// What this source does not have, and which one has it, a sentence each.
    package var missing: [String] = []
    /// What is not as it was in Firebase, whatever the project has, a sentence each.
    package var different: [String] = []
    /// What Firebase exports to no program, a sentence each.
    package var impossible: [String] = []
    /// The apps' bundle ids, for the next commands.
    package var bundleIDs: [String] = []
    /// Why the import ended before its end; nil if it did not. The same command continues.
    package var stopped: String?

    /// Whether everything was only taken into the folder.
    package var isFetchOnly: Bool {
        models.contains { $0.result == .fetched } || templates.contains(where: \.isOnlyKept)
    }

    package init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// The parts that are not on the server and should be.
    package var failedCount: Int {
        models.count { $0.result == .failed } + problems.count + templates.reduce(0) { $0 + $1.problems.count }
    }

    /// The models without a failure whose source named no hash to compare with.
    package var unconfirmedModels: [ImportedModel] {
        models.filter { $0.result != .failed && !$0.isHashConfirmed && !$0.sha256.isEmpty }
    }

    /// What a folder of models does not contain besides.
    package static let missingFromFolder = [
        missingState,
        "Hashes: the files have none, so nothing shows that one arrived undamaged. Compare the sizes with the console.",
        missingConfiguration,
    ]

    private static let missingState =
        "Tags, and which models were published: this source does not say. The Firebase console shows them."
    private static let missingConfiguration = "Remote Config and experiments: import them with --service-account."

    /// Says what the source does not have, and what becomes of the rest.
    ///
    /// - Parameter hasConfiguration: whether it has Remote Config and experiments.
    package mutating func describe(_ models: [SourceModel], hasConfiguration: Bool) {
        if models.contains(where: { $0.wasPublished == nil }) {
            missing.append(Self.missingState)
        } else if !hasConfiguration {
            missing.append("Tags: devices learn none. The Firebase console shows them.")
        }
        impossible = ["Training data of AutoML models, and statistics of downloads."]
        guard hasConfiguration else { return missing.append(Self.missingConfiguration) }
        different = [
            "Which installation has which variant or value: Google does not publish its draw. Shares stay, members change.",
            """
            The history of a template: at the next change of the template, the server removes versions that are older than 90 days. \
            The folder keeps them.
            """,
        ]
        impossible += [
            "Results of experiments per user: only a BigQuery link that was set up before has them.",
            "Audiences, predictions and personalization: only Google has their models of users.",
            "Drafts of Firebase's console that were never saved as a version.",
        ]
    }
}
