import HearthArguments

/// What a key or token may do.
enum RoleName: String, CaseIterable, ExpressibleByArgument {
    /// Look at everything but secrets.
    case viewer
    /// Also upload, publish, roll out and delete models.
    case publisher
    /// Also make and revoke keys.
    case owner
}
