/// The answer to create and update calls of the management API, and to the question how one goes on.
///
/// Nearly always it is done: the server waits for the check of a file before it answers. When that takes too long, the
/// operation has a name to ask for later, and the model has it among its `activeOperations`.
public struct OperationResource: Codable, Sendable, Equatable {
    public struct Metadata: Codable, Sendable, Equatable {
        /// Clients look at the end of it.
        public var type: String
        /// `projects/{project}/models/{numeric id}`.
        public var name: String
        public var basicOperationStatus: String

        public init(model name: String) {
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
    public var name: String?
    public var metadata: Metadata?
    public var done: Bool
    public var response: ModelResource?
    public var error: RPCStatus?

    /// One that has succeeded.
    public init(_ model: ModelResource) {
        done = true
        response = model
    }

    /// One that has failed; the HTTP status is 200 nevertheless.
    public init(error: RPCStatus) {
        done = true
        self.error = error
    }

    /// One that goes on.
    public init(name: String, model: String) {
        self.name = name
        metadata = Metadata(model: model)
        done = false
    }
}
