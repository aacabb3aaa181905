import Foundation
import HearthWire
import Testing

@Suite("Bodies on the wire")
struct BodyTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    @Test(
        "an error is one envelope with the kind's own numbers",
        arguments: [
            (CanonicalStatus.invalidArgument, 400, 3), (.failedPrecondition, 400, 9), (.unauthenticated, 401, 16),
            (.permissionDenied, 403, 7), (.notFound, 404, 5), (.alreadyExists, 409, 6), (.resourceExhausted, 429, 8),
            (.internal, 500, 13), (.unavailable, 503, 14), (CanonicalStatus(rawValue: "NEW"), 500, 2),
        ])
    func envelope(status: CanonicalStatus, http: Int, rpc: Int) throws {
        let json = try text(ErrorEnvelope(status, "a/b"))
        #expect(json == #"{"error":{"code":\#(http),"message":"a/b","status":"\#(status.rawValue)"}}"#)
        #expect(RPCStatus(status, "text").code == rpc)
        let back = try WireJSON.decode(ErrorEnvelope.self, from: json.utf8)
        #expect(back.error.message == "a/b")
    }

    @Test("HTTP's finer status goes into the envelope where it is given")
    func finerStatus() throws {
        let envelope = ErrorEnvelope(.invalidArgument, "too long", httpStatus: 413)
        #expect(try text(envelope) == #"{"error":{"code":413,"message":"too long","status":"INVALID_ARGUMENT"}}"#)
    }

    @Test("64-bit sizes travel as text, as Google's clients expect")
    func sizes() throws {
        let info = DownloadInfo(downloadUri: "https://h/f?a=1&b=2", expireTime: "t", sizeBytes: String(UInt64.max))
        #expect(
            try text(info)
                == #"{"downloadUri":"https://h/f?a=1&b=2","expireTime":"t","modelFormat":"TFLITE","sizeBytes":"18446744073709551615"}"#
        )
        let bare = try WireJSON.decode(
            DownloadInfo.self, from: #"{"downloadUri":"u","expireTime":"t","sizeBytes":"7"}"#.utf8)
        #expect(bare.modelFormat == nil)
        #expect(throws: (any Error).self) {
            try WireJSON.decode(DownloadInfo.self, from: #"{"downloadUri":"u","expireTime":"t","sizeBytes":7}"#.utf8)
        }
    }

    @Test(
        "a token's lifetime is seconds with an s",
        arguments: [
            ("604800s", Int64(604_800)), ("0s", 0), ("-1s", -1), ("604800", nil), ("s", nil), ("", nil), ("1.5s", nil),
            ("1ms", nil), ("99999999999999999999s", nil), ("9223372036854775807s", .max),
        ] as [(String, Int64?)])
    func lifetimes(text: String, seconds: Int64?) throws {
        let body = #"{"token":"t","expiresIn":"\#(text)"}"#
        #expect(try WireJSON.decode(InstallationBodies.AuthToken.self, from: body.utf8).lifetimeSeconds == seconds)
    }

    @Test("the service account file has Google's field names and ours")
    func serviceAccount() throws {
        var key = ServiceAccountKey(
            projectID: "p", privateKeyID: "k", privateKey: "pem", clientEmail: "e", clientID: "c", clientSecret: "s",
            hearthURL: "https://h/")
        #expect(key.tokenURI == "https://h/token")
        key.setHearthURL("http://127.0.0.1:8080")
        let json = try JSONSerialization.jsonObject(with: Data(try WireJSON.encode(key))) as? [String: String]
        #expect(
            json == [
                "type": "service_account", "project_id": "p", "private_key_id": "k", "private_key": "pem",
                "client_email": "e", "client_id": "c", "client_secret": "s", "hearth_url": "http://127.0.0.1:8080",
                "token_uri": "http://127.0.0.1:8080/token",
            ])
    }

    @Test("the OAuth answer has the names of its standard")
    func oauth() throws {
        let answer = try text(TokenBodies.Response(accessToken: "t", expiresIn: 3600))
        #expect(answer == #"{"access_token":"t","expires_in":3600,"token_type":"Bearer"}"#)
        let failure = try text(TokenBodies.Failure(error: "invalid_grant", errorDescription: "d"))
        #expect(failure == #"{"error":"invalid_grant","error_description":"d"}"#)
    }
}
