/// Hosted models where nothing can fetch them: the full program takes the whole command over.
enum HandedOverHosting: HostedModels {
    static func path(of model: String, config: String?) throws -> String {
        try FullProgram.takeOver("The hosted model '\(model)'")
    }
}
