public import Foundation

/// A token and its end.
public final class InstallationsAuthTokenResult: NSObject, Sendable {
    public let authToken: String
    public let expirationDate: Date

    init(_ token: InstallationToken) {
        authToken = token.token
        expirationDate = Date(timeIntervalSince1970: Double(token.expires))
    }
}
