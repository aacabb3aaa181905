/// What a device sends with its question for news of the template, in the same shapes as `FetchBody`.
public struct UpdatesBody: Sendable, Hashable {
    public var installationToken: String?
    /// 0 where the device knows no version, or says none.
    public var lastKnownVersion: Int64 = 0

    /// Nil where the bytes are none of the shapes.
    public init?(_ bytes: [UInt8]) {
        guard let members = BodyMembers(bytes) else { return nil }
        installationToken = members.text("appinstanceidtoken")
        lastKnownVersion = max(0, members.text("lastknownversionnumber").flatMap { Int64($0) } ?? 0)
    }
}
