/// Whom a project's template is for.
public enum TemplateNamespace: String, Sendable, Hashable, CaseIterable {
    /// Devices, for whom the server evaluates it.
    case client = "firebase"
    /// Servers with an Admin SDK, which evaluate it themselves.
    case server = "firebase-server"
}
