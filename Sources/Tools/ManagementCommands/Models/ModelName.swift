import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// A model named on the command line.
struct ModelName: ParsableArguments {
    @Argument(help: "Display name of the model.")
    var name: String

    /// The model on the server.
    func find(_ client: AdminClient) throws -> ModelResource { try Self.find(name, client) }

    static func find(_ name: String, _ client: AdminClient) throws -> ModelResource {
        try check(name)
        guard let model = try client.findModel(name) else {
            throw CommandFailure(
                "There is no model '\(name)'. `hearth models list` lists the models.", code: "NOT_FOUND")
        }
        return model
    }

    func validate() throws { try Self.check(name) }

    static func check(_ name: String) throws(ValidationError) {
        guard WireNames.isDisplayName(name) else {
            throw ValidationError(
                "A model's name must have 1 to 32 letters, digits, hyphens or underscores: '\(name)'.")
        }
    }
}
