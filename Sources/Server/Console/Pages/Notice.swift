/// What a change did, for the page after it. A closed set, so that no link can make a page say something else.
enum Notice: String {
    case saved, created, deleted, revoked, published, unpublished, released, raised, paused, resumed, ended
    case rolledBack = "rolled-back"
    case pinned, unpinned, started, stopped
    case rolledOut = "rolled-out"
    case unchanged, discarded, removed
    case sameFile = "same-file"

    /// Its name in the query.
    static let field = "done"

    var text: String {
        switch self {
        case .saved: "Saved."
        case .created: "Created."
        case .deleted: "Deleted."
        case .revoked: "Revoked."
        case .published: "Published. Devices get it at their next request."
        case .unpublished: "Unpublished. Devices get no version of it any more; those that have one keep it."
        case .released: "The release has begun."
        case .raised: "The share was changed."
        case .paused: "Paused. Devices that have the version keep it; no other device gets it."
        case .resumed: "Resumed."
        case .ended: "Stopped. Its devices get the fallback release."
        case .rolledBack: "Rolled back."
        case .pinned: "Pinned."
        case .unpinned: "The pin was removed."
        case .started: "Started."
        case .stopped: "Stopped."
        case .removed: "Removed."
        case .sameFile: "No version was made: this one, the newest, has the bytes of the file already."
        case .unchanged: "Nothing changed: it is like that already."
        case .discarded: "Your changes are discarded. What is published stays as it is."
        case .rolledOut: "The variant is rolled out to all devices of the experiment."
        }
    }
}
