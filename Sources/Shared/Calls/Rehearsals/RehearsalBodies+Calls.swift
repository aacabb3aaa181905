public import HearthWire

/// What is asked and answered about rehearsals.
extension RehearsalBodies {
    /// The set, in order of name.
    package struct ImageList: Codable, Sendable {
        package var images: [Image]?

        package init(images: [Image]?) { self.images = images }
    }

    /// Which versions to compare.
    public struct StartRequest: Codable, Sendable, KeyedBody {
        /// The version to rehearse; default: the newest.
        public var version: Int?
        /// The version to compare it with; default: the one that all devices get, or got last.
        public var against: Int?
        /// Runs the versions again although there is a result for the same versions and images.
        public var again: Bool?

        package enum CodingKeys: String, CodingKey, CaseIterable { case version, against, again }

        /// Makes one with these values.
        public init(version: Int? = nil, against: Int? = nil, again: Bool? = nil) {
            self.version = version
            self.against = against
            self.again = again
        }
    }

    /// A rehearsal: running, or with its result.
    public struct Rehearsal: Codable, Sendable, Hashable {
        /// The id, which is the same for the same versions and images.
        public var rehearsal: String
        /// The rehearsed version.
        public var version: Int
        /// The version that it is compared with; nil for none.
        public var against: Int?
        /// `queued`, `running`, `done` or `failed`.
        public var state: String
        /// How many runs on images are over, of `runs`.
        public var finishedRuns: Int?
        /// The runs on images of both versions together.
        public var runs: Int?
        /// Why it failed, in one line.
        public var failure: String?
        /// When it was done or requested.
        public var createTime: String
        /// Who requested it: a service account's email, or `token:{id}`.
        public var createdBy: String
        /// Whether the images have changed since; omitted if not.
        public var isOutdated: Bool?
        /// The result.
        public var summary: Summary?
        /// Whether the result meets the model's own requirements; nil if it has none.
        public var verdict: Verdict?
        /// Every image, in order of name; only in the answer about one rehearsal.
        public var images: [Comparison]?

        package init(
            rehearsal: String, version: Int, against: Int?, state: String, createTime: String, createdBy: String
        ) {
            self.rehearsal = rehearsal
            self.version = version
            self.against = against
            self.state = state
            self.createTime = createTime
            self.createdBy = createdBy
        }
    }

    /// The rehearsals of a model, newest first.
    package struct List: Codable, Sendable {
        package var rehearsals: [Rehearsal]?

        package init(rehearsals: [Rehearsal]?) { self.rehearsals = rehearsals }
    }
}
