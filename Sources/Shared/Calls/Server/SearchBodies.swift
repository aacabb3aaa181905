/// What a search in a project finds: `GET /hearth/v1/projects/{project}/search?q=TEXT`.
public enum SearchBodies {
    /// The most characters of a search text.
    public static let queryLimit = 100
    /// The most results of each kind.
    public static let resultLimit = 10

    /// The answer. Of each kind the exact matches come first, then those that begin with the text, then all others, in
    /// order of name. Upper and lower case are the same.
    public struct Results: Codable, Sendable, Hashable {
        /// The text that was looked for.
        public var query: String
        /// Models whose display name, id, tag or alias of a version contains the text, or whose name in logs it is, such as
        /// `models/12`.
        public var models: [Model]
        /// Keys of Remote Config parameters that contain the text, of the template for apps.
        public var parameters: [String]
        /// Names of this template's conditions that contain the text.
        public var conditions: [String]
        /// Experiments whose name contains the text.
        public var experiments: [Experiment]
        /// The text, if it is the whole id of an installation; nil otherwise.
        public var installation: String?

        package init(
            query: String, models: [Model], parameters: [String], conditions: [String], experiments: [Experiment],
            installation: String?
        ) {
            self.query = query
            self.models = models
            self.parameters = parameters
            self.conditions = conditions
            self.experiments = experiments
            self.installation = installation
        }
    }

    /// A model.
    public struct Model: Codable, Sendable, Hashable {
        /// The model's id.
        public var model: String
        /// The model's display name.
        public var displayName: String
        /// All of its tags.
        public var tags: [String]
        /// The aliases that contain the text; nil if none does.
        public var aliases: [Alias]?

        package init(model: String, displayName: String, tags: [String], aliases: [Alias]? = nil) {
            self.model = model
            self.displayName = displayName
            self.tags = tags
            self.aliases = aliases
        }
    }

    /// The answer of `GET /hearth/v1/projects/{project}/modelNames`.
    public struct ModelNames: Codable, Sendable, Hashable {
        /// All models of the project, in order of id.
        public var models: [ModelName]

        package init(models: [ModelName]) { self.models = models }
    }

    /// The id and the name of a model.
    public struct ModelName: Codable, Sendable, Hashable {
        /// The model's id.
        public var model: String
        /// The model's display name.
        public var displayName: String

        package init(model: String, displayName: String) {
            self.model = model
            self.displayName = displayName
        }
    }

    /// An alias of a model's version.
    public struct Alias: Codable, Sendable, Hashable {
        /// The alias.
        public var alias: String
        /// The number of the version that has it.
        public var version: Int

        package init(alias: String, version: Int) {
            self.alias = alias
            self.version = version
        }
    }

    /// An experiment.
    public struct Experiment: Codable, Sendable, Hashable {
        /// The experiment's name.
        public var name: String
        /// `draft`, `running`, `stopped` or `rolledOut`.
        public var state: String

        package init(name: String, state: String) {
            self.name = name
            self.state = state
        }
    }
}
