/// A model as the management API shows and takes it (`firebaseml` v1beta2).
///
/// One type for both directions: on input the server reads only `displayName`, `tags`, `state.published`,
/// `tfliteModel.gcsTfliteUri` and `hearth.contractCheck`, and ignores whatever else a client sends back.
package struct ModelResource: Codable, Sendable, Equatable {
    package struct State: Codable, Sendable, Equatable {
        /// Left out when false.
        package var published: Bool?
        package var validationError: RPCStatus?

        package init(published: Bool? = nil, validationError: RPCStatus? = nil) {
            self.published = published
            self.validationError = validationError
        }
    }

    package struct TFLiteModel: Codable, Sendable, Equatable {
        /// In: `gs://bucket/object` or a signed link to it. Out: always `gs://bucket/object`.
        package var gcsTfliteUri: String?
        /// Decimal digits; absent when the file did not pass validation.
        package var sizeBytes: String?

        package init(gcsTfliteUri: String? = nil, sizeBytes: String? = nil) {
            self.gcsTfliteUri = gcsTfliteUri
            self.sizeBytes = sizeBytes
        }
    }

    /// `projects/{project}/models/{numeric id}`.
    package var name: String?
    package var displayName: String?
    package var tags: [String]?
    package var state: State?
    package var tfliteModel: TFLiteModel?
    /// RFC 3339 with six fraction digits: the Python client parses nothing else.
    package var createTime: String?
    package var updateTime: String?
    /// Changes with every change of the resource.
    package var etag: String?
    /// Lower-case hex SHA-256 of the delivered bytes; changes only with them.
    package var modelHash: String?
    /// What goes on with the model; while there is something, clients call it locked.
    package var activeOperations: [OperationResource]?
    /// Hearth's own fields; other clients ignore them.
    package var hearth: HearthFields?

    package struct HearthFields: Codable, Sendable, Equatable {
        /// The newest version's number, 1, 2, 3 …
        package var version: Int?
        /// The version that devices get; absent when nothing is released.
        package var releasedVersion: Int?
        /// The releases under way that some devices get in place of `releasedVersion`, newest first; left out when there
        /// is none.
        package var rollouts: [ReleaseBodies.Release]?
        /// A remark that does not stop publishing, such as an operator that this server's engine lacks.
        package var warning: String?
        /// What exactly is wrong with the file; `state.validationError` has the fixed text that tools compare.
        package var validationDetail: String?
        package var contract: ModelContract?
        /// `refuse` where versions with another contract than the released one are not released; left out for `warn`.
        /// May be set, with the mask `hearth.contractCheck`.
        package var contractCheck: String?
        /// The version that is released to all as soon as its file has passed its check.
        package var publishWhenValidated: Int?
        /// In the answer that released a version: how its contract differs from that of the version released before.
        package var contractChanges: [String]?
        /// In the answer to a call that publishes: true where all devices get the version already.
        package var alreadyPublished: Bool?
        /// In the answer that shows one model: true where the server no longer has the newest version's file, or not all of
        /// it. An upload of the same bytes brings it back. The bytes themselves are not looked at.
        package var fileMissing: Bool?

        package init(version: Int? = nil, releasedVersion: Int? = nil) {
            self.version = version
            self.releasedVersion = releasedVersion
        }
    }

    package init() {}
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
package struct UploadResource: Codable, Sendable {
    /// What to put into `tfliteModel.gcsTfliteUri`.
    package var gcsTfliteUri: String
    package var sizeBytes: String
    /// Lower-case hex SHA-256 of the bytes received.
    package var sha256: String
    /// Why the file cannot be published; absent when it can.
    package var validationError: RPCStatus?
    package var warning: String?

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
package struct OperationResource: Codable, Sendable, Equatable {
    package struct Metadata: Codable, Sendable, Equatable {
        /// Clients look at the end of it.
        package var type: String
        /// `projects/{project}/models/{numeric id}`.
        package var name: String
        package var basicOperationStatus: String

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

    /// `projects/{project}/operations/{id}`; absent where nobody needs to ask again.
    package var name: String?
    package var metadata: Metadata?
    package var done: Bool
    package var response: ModelResource?
    package var error: RPCStatus?

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
