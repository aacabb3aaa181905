/// A model as the management API shows and takes it (`firebaseml` v1beta2).
///
/// One type for both directions: on input the server reads only `displayName`, `tags`, `state.published`,
/// `tfliteModel.gcsTfliteUri` and `hearth.contractCheck`, and ignores whatever else a client sends back.
public struct ModelResource: Codable, Sendable, Equatable {
    /// Whether devices get the model.
    public struct State: Codable, Sendable, Equatable {
        /// Left out when false.
        public var published: Bool?
        /// Why the newest version cannot be published; absent when it can.
        public var validationError: RPCStatus?

        /// One with these values.
        public init(published: Bool? = nil, validationError: RPCStatus? = nil) {
            self.published = published
            self.validationError = validationError
        }
    }

    /// The file of the newest version.
    public struct TFLiteModel: Codable, Sendable, Equatable {
        /// In: `gs://bucket/object` or a signed link to it. Out: always `gs://bucket/object`.
        public var gcsTfliteUri: String?
        /// Decimal digits; absent when the file did not pass validation.
        public var sizeBytes: String?

        /// One with these values.
        public init(gcsTfliteUri: String? = nil, sizeBytes: String? = nil) {
            self.gcsTfliteUri = gcsTfliteUri
            self.sizeBytes = sizeBytes
        }
    }

    /// `projects/{project}/models/{numeric id}`.
    public var name: String?
    /// 1 to 32 letters, digits, hyphens or underscores.
    public var displayName: String?
    /// 1 to 32 letters, digits, hyphens or underscores each.
    public var tags: [String]?
    /// Whether devices get it.
    public var state: State?
    /// The file of the newest version.
    public var tfliteModel: TFLiteModel?
    /// RFC 3339 with six fraction digits: the Python client parses nothing else.
    public var createTime: String?
    /// When it was changed last.
    public var updateTime: String?
    /// Changes with every change of the resource.
    public var etag: String?
    /// Lower-case hex SHA-256 of the delivered bytes; changes only with them.
    public var modelHash: String?
    /// What goes on with the model; while there is something, clients call it locked.
    public var activeOperations: [OperationResource]?
    /// Hearth's own fields; other clients ignore them.
    public var hearth: HearthFields?

    /// What only Hearth has.
    public struct HearthFields: Codable, Sendable, Equatable {
        /// The newest version's number, 1, 2, 3 …
        public var version: Int?
        /// The version that devices get; absent when nothing is released.
        public var releasedVersion: Int?
        /// The releases under way that some devices get in place of `releasedVersion`, newest first; left out when there
        /// is none.
        public var rollouts: [ReleaseBodies.Release]?
        /// A remark that does not stop publishing, such as an operator that this server's engine lacks.
        public var warning: String?
        /// What exactly is wrong with the file; `state.validationError` has the fixed text that tools compare.
        public var validationDetail: String?
        /// What the newest version takes and gives.
        public var contract: ModelContract?
        /// `refuse` where versions with another contract than the released one are not released; left out for `warn`.
        /// May be set, with the mask `hearth.contractCheck`.
        public var contractCheck: String?
        /// The version that is released to all as soon as its file has passed its check.
        public var publishWhenValidated: Int?
        /// In the answer that released a version: how its contract differs from that of the version released before.
        public var contractChanges: [String]?
        /// In the answer to a call that publishes: true where all devices get the version already.
        public var alreadyPublished: Bool?
        /// In the answer that shows one model: true where the server no longer has the newest version's file, or not all of
        /// it. An upload of the same bytes brings it back. The bytes themselves are not looked at.
        public var fileMissing: Bool?

        /// One with these values.
        public init(version: Int? = nil, releasedVersion: Int? = nil) {
            self.version = version
            self.releasedVersion = releasedVersion
        }
    }

    /// One without any value, to be filled.
    public init() {}
}

package struct ModelList: Codable, Sendable {
    /// Left out when empty.
    package var models: [ModelResource]?
    package var nextPageToken: String?

    package init(models: [ModelResource]?, nextPageToken: String?) {
        self.models = models
        self.nextPageToken = nextPageToken
    }
}

/// The answer to `…/models/{display name}:download`. Every value is a string, as the clients expect.
package struct DownloadInfo: Codable, Sendable {
    package var downloadUri: String
    /// RFC 3339 with exactly three fraction digits: Android reads six as that many milliseconds.
    package var expireTime: String
    package var sizeBytes: String
    package var modelFormat: String?

    package init(downloadUri: String, expireTime: String, sizeBytes: String) {
        self.downloadUri = downloadUri
        self.expireTime = expireTime
        self.sizeBytes = sizeBytes
        modelFormat = "TFLITE"
    }
}

/// The answer to Hearth's own upload route.
public struct UploadResource: Codable, Sendable {
    /// What to put into `tfliteModel.gcsTfliteUri`.
    public var gcsTfliteUri: String
    /// Decimal digits.
    public var sizeBytes: String
    /// Lower-case hex SHA-256 of the bytes received.
    public var sha256: String
    /// Why the file cannot be published; absent when it can.
    public var validationError: RPCStatus?
    /// A remark that does not stop publishing, such as an operator that this server's engine lacks.
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

/// The answer to create and update calls of the management API, and to the question how one goes on.
///
/// Nearly always it is done: the server waits for the check of a file before it answers. When that takes too long, the
/// operation has a name to ask for later, and the model has it among its `activeOperations`.
public struct OperationResource: Codable, Sendable, Equatable {
    /// What an operation is about.
    public struct Metadata: Codable, Sendable, Equatable {
        /// Clients look at the end of it.
        public var type: String
        /// `projects/{project}/models/{numeric id}`.
        public var name: String
        /// Always that it is being verified.
        public var basicOperationStatus: String

        package init(model name: String) {
            type = "type.googleapis.com/google.firebase.ml.v1beta2.ModelOperationMetadata"
            self.name = name
            basicOperationStatus = "BASIC_OPERATION_STATUS_VERIFYING"
        }

        enum CodingKeys: String, CodingKey {
            case type = "@type"
            case name
            case basicOperationStatus
        }
    }

    /// `projects/{project}/operations/{id}`; absent where the operation is over.
    public var name: String?
    /// What it is about; absent when it is over.
    public var metadata: Metadata?
    /// Whether it is over.
    public var done: Bool
    /// The model as it is then.
    public var response: ModelResource?
    /// Why it failed.
    public var error: RPCStatus?

    /// One that has succeeded.
    package init(_ model: ModelResource) {
        done = true
        response = model
    }

    /// One that has failed; the HTTP status is 200 nevertheless.
    package init(error: RPCStatus) {
        done = true
        self.error = error
    }

    /// One that goes on.
    package init(name: String, model: String) {
        self.name = name
        metadata = Metadata(model: model)
        done = false
    }
}
