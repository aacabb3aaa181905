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
