import Foundation
import HearthCrypto
import HearthFiles
import HearthTransport
import HearthWire

/// Exchanges a service account's signed assertion for an access token.
struct AdminSignIn {
    let key: ServiceAccountKey

    func request(nowSeconds: Int64) throws(AdminError) -> TransportRequest {
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        return TransportRequest(
            method: "POST", url: key.tokenURI, headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: .bytes(Array((form + (try assertion(nowSeconds))).utf8)), totalTimeoutSeconds: 30)
    }

    func token(from response: TransportResponse) throws(AdminError) -> String {
        if response.status != 200,
            let failure = try? WireJSON.decode(TokenBodies.Failure.self, from: response.body)
        {
            throw AdminError(
                .invalidCredentials, "The server refused the credentials: \(failure.errorDescription)")
        }
        return try AdminClient.decode(TokenBodies.Response.self, response).accessToken
    }

    private func assertion(_ nowSeconds: Int64) throws(AdminError) -> String {
        let claims: [String: String] = [
            "iss": key.clientEmail, "aud": "https://oauth2.googleapis.com/token",
            "scope": "https://www.googleapis.com/auth/cloud-platform",
        ]
        do {
            var payload = String(decoding: try WireJSON.encode(claims), as: UTF8.self)
            payload = "{\"iat\":\(nowSeconds),\"exp\":\(nowSeconds + 3600)," + payload.dropFirst()
            return try JWT.encodeRS256(
                payload: Array(payload.utf8), keyID: key.privateKeyID, key: try RSAPrivateKey(pem: key.privateKey))
        } catch {
            throw AdminError(.invalidCredentials, "\(error)", cause: error)
        }
    }
}
