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
