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
