public import HearthWire

/// A model in requests and answers of the management API (`firebaseml` v1beta2).
///
/// One type for both directions: of a request, the server reads only `displayName`, `tags`, `state.published`,
/// `tfliteModel.gcsTfliteUri`, `hearth.contractCheck`, `hearth.rehearsalRequire` and `hearth.rehearsalCheck`, and
/// ignores everything else that a client sends back.
public struct ModelResource: Codable, Sendable, Equatable {
    /// Whether devices get the model.
    public struct State: Codable, Sendable, Equatable {
        /// Omitted when false.
        public var published: Bool?
        /// Why the newest version cannot be published; absent when it can.
        public var validationError: RPCStatus?

        /// Makes one with these values.
        public init(published: Bool? = nil, validationError: RPCStatus? = nil) {
            self.published = published
            self.validationError = validationError
        }
    }

    /// The file of the newest version.
    public struct TFLiteModel: Codable, Sendable, Equatable {
        /// In requests `gs://bucket/object` or a signed link to it; in answers always `gs://bucket/object`.
        public var gcsTfliteUri: String?
        /// Decimal digits; absent when the file did not pass validation.
        public var sizeBytes: String?

        /// Makes one with these values.
        public init(gcsTfliteUri: String? = nil, sizeBytes: String? = nil) {
            self.gcsTfliteUri = gcsTfliteUri
            self.sizeBytes = sizeBytes
        }
    }

    /// `projects/{project}/models/{numeric id}`.
    public var name: String?
    /// 1 to 32 letters, digits, hyphens or underscores.
    public var displayName: String?
    /// The model's tags, each of 1 to 32 letters, digits, hyphens or underscores.
    public var tags: [String]?
    /// Whether devices get the model.
    public var state: State?
    /// The file of the newest version.
    public var tfliteModel: TFLiteModel?
    /// When the model was created: RFC 3339 with six fraction digits, the only form that the Python client parses.
    public var createTime: String?
    /// When the model was last changed.
    public var updateTime: String?
    /// Changes with every change of the resource.
    public var etag: String?
    /// The SHA-256 of the file that devices get, in lower-case hex; changes only with the bytes.
    public var modelHash: String?
    /// The running operations of the model; while there is one, clients call the model locked.
    public var activeOperations: [OperationResource]?
    /// Hearth's own fields, which other clients ignore.
    public var hearth: HearthFields?

    /// The fields that only Hearth has.
    public struct HearthFields: Codable, Sendable, Equatable {
        /// The newest version's number, 1, 2, 3 …
        public var version: Int?
        /// The version that devices get; absent when nothing is released.
        public var releasedVersion: Int?
        /// The running releases that some devices get instead of `releasedVersion`, newest first; omitted when there
        /// are none.
        public var rollouts: [ReleaseBodies.Release]?
        /// A remark that does not prevent publishing, such as an operator that this server's engine lacks.
        public var warning: String?
        /// The exact error of the file; `state.validationError` has the fixed text that tools compare.
        public var validationDetail: String?
        /// What the newest version takes and gives.
        public var contract: ModelContract?
        /// `refuse` when the server must not release versions with another contract than the released one; omitted for
        /// `warn`. Settable with the mask `hearth.contractCheck`.
        public var contractCheck: String?
        /// What a rehearsal must show before a version is released, such as `agreement=98%,shown-loss=1%`; omitted for
        /// nothing. Settable with the mask `hearth.rehearsalRequire`; empty removes it.
        public var rehearsalRequire: String?
        /// `refuse` when the server must not release versions whose rehearsal is missing or shows less than
        /// `rehearsalRequire`; omitted for `warn`. Settable with the mask `hearth.rehearsalCheck`.
        public var rehearsalCheck: String?
        /// The version that the server will release to all devices when its file has passed the check.
        public var publishWhenValidated: Int?
        /// In the answer to a release: the differences between its contract and that of the version released before.
        public var contractChanges: [String]?
        /// True in the answer to a call that publishes, when all devices get the version already.
        public var alreadyPublished: Bool?
        /// True in the answer about one model when the server does not have the whole file of the newest version any
        /// more. An upload of the same bytes restores it. The server does not verify the bytes for this.
        public var fileMissing: Bool?

        /// Makes one with these values.
        public init(version: Int? = nil, releasedVersion: Int? = nil) {
            self.version = version
            self.releasedVersion = releasedVersion
        }
    }

    /// Makes a resource without values.
    public init() {}
}

package struct ModelList: Codable, Sendable {
    /// Omitted when empty.
    package var models: [ModelResource]?
    package var nextPageToken: String?

    package init(models: [ModelResource]?, nextPageToken: String?) {
        self.models = models
        self.nextPageToken = nextPageToken
    }
}

/// The answer to Hearth's own upload route.
public struct UploadResource: Codable, Sendable {
    /// The value for `tfliteModel.gcsTfliteUri`.
    public var gcsTfliteUri: String
    /// Decimal digits.
    public var sizeBytes: String
    /// The SHA-256 of the received bytes, in lower-case hex.
    public var sha256: String
    /// Why the file cannot be published; absent when it can.
    public var validationError: RPCStatus?
    /// A remark that does not prevent publishing, such as an operator that this server's engine lacks.
    public var warning: String?

    package init(gcsTfliteUri: String, sizeBytes: String, sha256: String, validationError: RPCStatus?, warning: String?)
    {
        self.gcsTfliteUri = gcsTfliteUri
        self.sizeBytes = sizeBytes
        self.sha256 = sha256
        self.validationError = validationError
        self.warning = warning
    }
}
