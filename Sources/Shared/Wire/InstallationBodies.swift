import Foundation

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

/// The form of an installation's id: `^[cdef][A-Za-z0-9_-]{21}$`.
public enum InstallationID {
    /// How many random bytes an id is made of.
    public static let randomByteCount = 17

    public static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 22 && (0x63...0x66).contains(bytes[0])
            && bytes.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    /// The id that `random` gives: its first four bits become 0111, and the rest is cut to 22 characters of base64url.
    public static func text(random: [UInt8]) -> String {
        precondition(random.count == randomByteCount, "An installation's id is made of \(randomByteCount) bytes.")
        var bytes = random
        bytes[0] = 0x70 | (bytes[0] & 0x0F)
        let text = Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return String(text.prefix(22))
    }
}
