/// What the `userInfo` of a download notification holds, under the keys' `rawValue`.
public struct ModelDownloadUserInfoKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The `RemoteModel` that the download was asked for with: the same object.
    public static let remoteModel = Self(rawValue: "MLKModelDownloadUserInfoKeyRemoteModel")
    /// The `NSError` that says why there is no new model. Only in notifications of failure.
    public static let error = Self(rawValue: "MLKModelDownloadUserInfoKeyError")
}
