/// Bodies of the Installations API (`firebaseinstallations` v1).
public enum InstallationBodies {
    public struct CreateRequest: Codable, Sendable {
        public var fid: String?
        public var authVersion: String?
        public var appId: String?
        public var sdkVersion: String?

        public init(fid: String?, authVersion: String?, appId: String?, sdkVersion: String?) {
            self.fid = fid
            self.authVersion = authVersion
            self.appId = appId
            self.sdkVersion = sdkVersion
        }
    }

    public struct AuthToken: Codable, Sendable {
        public var token: String
        /// Seconds with an `s` behind: `604800s`.
        public var expiresIn: String

        public init(token: String, expiresInSeconds: Int64) {
            self.token = token
            expiresIn = "\(expiresInSeconds)s"
        }

        public var lifetimeSeconds: Int64? {
            expiresIn.hasSuffix("s") ? Int64(expiresIn.dropLast()) : nil
        }
    }

    public struct CreateResponse: Codable, Sendable {
        public var name: String
        public var fid: String?
        public var refreshToken: String
        public var authToken: AuthToken

        public init(name: String, fid: String, refreshToken: String, authToken: AuthToken) {
            self.name = name
            self.fid = fid
            self.refreshToken = refreshToken
            self.authToken = authToken
        }
    }

    public struct GenerateRequest: Codable, Sendable {
        public struct Installation: Codable, Sendable {
            public var sdkVersion: String?
            public var appId: String?

            public init(sdkVersion: String?, appId: String?) {
                self.sdkVersion = sdkVersion
                self.appId = appId
            }
        }

        public var installation: Installation?

        public init(installation: Installation?) { self.installation = installation }
    }
}

/// Bodies of the OAuth 2 token endpoint.
public enum TokenBodies {
    public struct Response: Codable, Sendable {
        public var accessToken: String
        public var expiresIn: Int64
        public var tokenType: String

        public init(accessToken: String, expiresIn: Int64) {
            self.accessToken = accessToken
            self.expiresIn = expiresIn
            tokenType = "Bearer"
        }

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
            case tokenType = "token_type"
        }
    }

    public struct Failure: Codable, Sendable {
        public var error: String
        public var errorDescription: String

        public init(error: String, errorDescription: String) {
            self.error = error
            self.errorDescription = errorDescription
        }

        enum CodingKeys: String, CodingKey {
            case error
            case errorDescription = "error_description"
        }
    }
}
