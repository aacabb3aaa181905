public import HearthWire

/// The answer to create and update calls of the management API, and to requests for an operation's state.
///
/// Nearly always the operation is done: the server waits for the check of a file before it answers. When the check
/// takes too long, the operation has a name for later requests, and the model lists it in `activeOperations`.
public struct OperationResource: Codable, Sendable, Equatable {
    /// The subject of an operation.
    public struct Metadata: Codable, Sendable, Equatable {
        /// The type; clients read its end.
        public var type: String
        /// `projects/{project}/models/{numeric id}`.
        public var name: String
        /// Always the status for "being verified".
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

    /// `projects/{project}/operations/{id}`; absent when the operation is done.
    public var name: String?
    /// The operation's subject; absent when the operation is done.
    public var metadata: Metadata?
    /// Whether the operation is done.
    public var done: Bool
    /// The model after the operation.
    public var response: ModelResource?
    /// Why the operation failed.
    public var error: RPCStatus?

    /// Makes an operation that has succeeded.
    package init(_ model: ModelResource) {
        done = true
        response = model
    }

    /// Makes an operation that has failed; the HTTP status is still 200.
    package init(error: RPCStatus) {
        done = true
        self.error = error
    }

    /// Makes a running operation.
    package init(name: String, model: String) {
        self.name = name
        metadata = Metadata(model: model)
        done = false
    }
}
