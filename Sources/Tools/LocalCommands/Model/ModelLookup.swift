import Glibc

/// What MODEL on the command line means: something on this disk, else the name of a hosted model.
struct ModelLookup {
    let hosted: any HostedModels.Type
    let config: String?

    /// The path of the model on this disk.
    func path(_ model: String) throws -> String {
        if access(model, F_OK) == 0 { return model }
        let looksLikeFile = model.contains("/") || model.contains(".")
        guard !looksLikeFile else { throw CommandFailure("There is no file or folder \(model).") }
        return try hosted.path(of: model, config: config)
    }
}
