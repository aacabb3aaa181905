import HearthCalls
import HearthWire

/// What an import did with one model.
package struct ImportedModel: Codable, Hashable, Sendable {
    package enum Result: String, Codable, Sendable {
        /// The model was not on the server.
        case new
        /// The model was on the server with other bytes.
        case newVersion
        /// A version of the model has these bytes already.
        case unchanged
        /// As `unchanged`, but devices get it from now on.
        case published
        /// It was only taken into the folder.
        case fetched
        /// It is not on the server; `problem` says why.
        case failed
    }

    package var name: String
    package var file: String
    package var sizeBytes: UInt64
    /// Of the file, in lower-case hex; empty if it could not be read, or was only taken into the folder and has no known hash.
    package var sha256 = ""
    /// Whether the source named a hash, with which the bytes were compared.
    package var isHashConfirmed: Bool
    package var tags: [String]
    /// Whether devices got it from Firebase; nil if the source does not say.
    package var wasPublished: Bool?
    package var result = Result.failed
    /// The version with these bytes; nil where there is none, as in a dry run.
    package var version: Int?
    /// Whether all devices get this version.
    package var isPublished = false
    /// Whether publishing the model would be a change that fits what Firebase had.
    package var canBePublished = false
    package var problem: String?
    package var warnings: [String] = []

    /// A model that was only taken into the folder.
    package init(kept model: SourceModel) {
        self.init(model)
        result = .fetched
        sha256 = model.expectedSHA256 ?? ""
    }

    init(_ model: SourceModel) {
        name = model.name
        file = model.path
        sizeBytes = model.sizeBytes
        isHashConfirmed = model.isHashConfirmed
        tags = model.tags
        wasPublished = model.wasPublished
    }
}

/// What an import did with a Remote Config template.
package struct ImportedTemplate: Codable, Hashable, Sendable {
    /// `firebase` or `firebase-server`.
    package var namespace: String
    /// The number of the newest version in the folder.
    package var newest: Int64
    /// How many versions the folder has.
    package var versions: Int
    package var imported = 0
    /// Whether it was only taken into the folder.
    package var isOnlyKept = false
    package var unchanged = 0
    /// Whether devices get the newest version by this run.
    package var isActive = false
    /// Conditions of the newest version that hold for nobody here.
    package var conditions: [String] = []
    /// Values of the newest version that nobody gets here, or others than before.
    package var values: [String] = []
    /// Values of the newest version that need a step of the user.
    package var todo: [String] = []
    /// Versions that only `--publish` brings, in a sentence.
    package var waiting: String?
    /// Members of the newest version that only the folder keeps.
    package var unknownMembers: [String] = []
    /// Versions that are not on the server, a sentence each.
    package var problems: [String] = []

    /// A template that was only taken into the folder; nil if it has none.
    package init?(kept namespace: String, numbers: [Int64]) {
        guard let newest = numbers.first else { return nil }
        self.init(namespace: namespace, newest: newest, versions: numbers.count)
        isOnlyKept = true
    }

    init(namespace: String, newest: Int64, versions: Int) {
        self.namespace = namespace
        self.newest = newest
        self.versions = versions
    }
}

/// What an import did with an experiment or a rollout.
package struct ImportedExperiment: Codable, Hashable, Sendable {
    package enum Result: String, Codable, Sendable {
        /// A draft of it is on the server now.
        case draft
        /// The server has an experiment of this name already.
        case unchanged
        /// Only the folder has the definition; `notes` say why.
        case definitionOnly
    }

    /// `experiment` or `rollout`.
    package var kind: String
    package var id: String
    package var displayName: String
    package var state: String
    /// The draft's name on the server.
    package var name: String?
    package var result = Result.definitionOnly
    /// Whether the user can do something so that it continues.
    package var needsYou = false
    package var notes: [String]

    init(_ conversion: ExperimentConversion) {
        kind = "experiment"
        id = conversion.id
        displayName = conversion.displayName
        state = conversion.state
        name = conversion.definition?.name
        notes = conversion.notes
    }

    static func rollout(_ json: JSONValue) -> ImportedExperiment {
        ImportedExperiment(
            kind: "rollout", id: json["name"]?.text?.split(separator: "/").last.map(String.init) ?? "",
            displayName: json["definition"]?["displayName"]?.text ?? "", state: json["state"]?.text ?? "unknown",
            notes: ["its share stands in the template, and continues from there for other installations"])
    }

    private init(kind: String, id: String, displayName: String, state: String, notes: [String]) {
        self.kind = kind
        self.id = id
        self.displayName = displayName
        self.state = state
        self.notes = notes
    }
}

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
