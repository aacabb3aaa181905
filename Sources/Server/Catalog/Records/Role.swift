/// What somebody may do in a project. Each role may do all that the ones before it may.
public enum Role: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Look at models, versions and releases.
    case viewer
    /// Upload, publish, roll out, roll back, delete models.
    case publisher
    /// Look at, make and end accounts, keys and tokens, and read the audit log.
    case owner

    public static func < (left: Role, right: Role) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .viewer: 0
        case .publisher: 1
        case .owner: 2
        }
    }
}
