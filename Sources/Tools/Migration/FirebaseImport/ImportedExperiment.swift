import HearthCalls

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
