public import HearthWire

/// How a version differs from another one of the same model: `GET …/versions/{n or alias}:compare?with={n or alias}`.
public struct VersionComparison: Codable, Sendable, Equatable {
    /// One of the two versions.
    public struct Side: Codable, Sendable, Equatable {
        /// The version's number.
        public var version: Int
        /// The SHA-256 of the file, in lower-case hex.
        public var modelHash: String
        /// Decimal digits.
        public var sizeBytes: String
        /// `pending`, `ok`, `unsupported` or `malformed`.
        public var verdict: String
        /// The measurements on the machine that validated it.
        public var figures: ModelMeasurements?
        /// Why a valid model has no measurements.
        public var figuresNote: String?

        package init(_ version: ReleaseBodies.Version) {
            self.version = version.version
            modelHash = version.modelHash
            sizeBytes = version.sizeBytes
            verdict = version.verdict
            figures = version.figures
            figuresNote = version.figuresNote
        }
    }

    /// One difference between the contracts.
    public struct Difference: Codable, Sendable, Hashable {
        /// `input`, `output`, `signature`, `labels`, `operators`, `metadata`, or `contract` if one of the contracts is not
        /// known.
        public var place: String
        /// What differs, such as `type of input 0`, `operator`, `number of CONV_2D operators` or `author`; nil for labels in
        /// another order and `contract`.
        public var name: String?
        /// The value in the version that is compared with, at most 60 characters; nil if it has none, or for labels and
        /// `contract`.
        public var before: String?
        /// The value in the version, at most 60 characters; nil as `before`.
        public var after: String?
        /// The whole difference in one line.
        public var text: String
        /// Whether an app may notice it. Operators and metadata change nothing for apps.
        public var affectsApps: Bool

        package init(
            place: String, name: String?, before: String?, after: String?, text: String, affectsApps: Bool
        ) {
            self.place = place
            self.name = name
            self.before = before
            self.after = after
            self.text = text
            self.affectsApps = affectsApps
        }
    }

    /// The version.
    public var version: Side
    /// The version that it is compared with.
    public var with: Side
    /// Whether devices with an app that was written for `with` can use `version`: no difference affects apps. A release
    /// checks the same.
    public var fitsApps: Bool
    /// The first 100, those that affect apps first; empty if there is none.
    public var differences: [Difference]
    /// How many more differences there are; nil for none.
    public var omittedDifferences: Int?

    package init(version: Side, with: Side, fitsApps: Bool, differences: [Difference], omittedDifferences: Int?) {
        self.version = version
        self.with = with
        self.fitsApps = fitsApps
        self.differences = differences
        self.omittedDifferences = omittedDifferences
    }
}
