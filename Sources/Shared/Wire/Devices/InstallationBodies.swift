import Foundation

/// Bodies of the Installations API (`firebaseinstallations` v1).
package enum InstallationBodies {
    package struct CreateRequest: Codable, Sendable {
        package var fid: String?
        package var authVersion: String?
        package var appId: String?
        package var sdkVersion: String?

        package init(fid: String?, authVersion: String?, appId: String?, sdkVersion: String?) {
            self.fid = fid
            self.authVersion = authVersion
            self.appId = appId
            self.sdkVersion = sdkVersion
        }
    }

    package struct AuthToken: Codable, Sendable {
        package var token: String
        /// Seconds followed by an `s`: `604800s`.
        package var expiresIn: String

        package init(token: String, expiresInSeconds: Int64) {
            self.token = token
            expiresIn = "\(expiresInSeconds)s"
        }

        package var lifetimeSeconds: Int64? {
            expiresIn.hasSuffix("s") ? Int64(expiresIn.dropLast()) : nil
        }
    }

    package struct CreateResponse: Codable, Sendable {
        package var name: String
        package var fid: String?
        package var refreshToken: String
        package var authToken: AuthToken

        package init(name: String, fid: String, refreshToken: String, authToken: AuthToken) {
            self.name = name
            self.fid = fid
            self.refreshToken = refreshToken
            self.authToken = authToken
        }
    }

    package struct GenerateRequest: Codable, Sendable {
        package struct Installation: Codable, Sendable {
            package var sdkVersion: String?
            package var appId: String?

            package init(sdkVersion: String?, appId: String?) {
                self.sdkVersion = sdkVersion
                self.appId = appId
            }
        }

        package var installation: Installation?

        package init(installation: Installation?) { self.installation = installation }
    }
}

/// Bodies of the OAuth 2 token endpoint.
package enum TokenBodies {
    package struct Response: Codable, Sendable {
        package var accessToken: String
        package var expiresIn: Int64
        package var tokenType: String

        package init(accessToken: String, expiresIn: Int64) {
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

    package struct Failure: Codable, Sendable {
        package var error: String
        package var errorDescription: String

        package init(error: String, errorDescription: String) {
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
package enum InstallationID {
    /// How many random bytes an id needs.
    package static let randomByteCount = 17

    package static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 22 && (0x63...0x66).contains(bytes[0])
            && bytes.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
                    || byte == 0x2D || byte == 0x5F
            }
    }

    /// Why the text is no id of an installation; nil if it has the form of one.
    package static func refusal(of text: String) -> String? {
        guard !isValid(text) else { return nil }
        let shown = text.count > 40 ? "This text" : "'\(text)'"
        let count = text.count == 1 ? "1 character" : "\(text.count) characters"
        let form = "such an id has 22 letters, digits, hyphens or underscores, and begins with c, d, e or f"
        return text.utf8.count == 22
            ? "\(shown) is not an id of an installation: \(form)."
            : "\(shown) is not an id of an installation: it has \(count), and \(form)."
    }

    /// Makes an id from random bytes: the first four bits become 0111, and the base64url text is cut to 22 characters.
    package static func text(random: [UInt8]) -> String {
        precondition(random.count == randomByteCount, "An installation's id is made of \(randomByteCount) bytes.")
        var bytes = random
        bytes[0] = 0x70 | (bytes[0] & 0x0F)
        let text = Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        return String(text.prefix(22))
    }
}
