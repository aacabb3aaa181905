import Foundation
import HearthCrypto
import HearthTestSupport

@testable import HearthFirebaseImport

/// The key file of an invented service account.
struct TestAccount {
    let path: String

    private static let key = Result { try RSAPrivateKey.generate() }

    init(
        in folder: TemporaryFolder, tokenURI: String = "https://oauth2.googleapis.com/token",
        project: String = "project-a"
    )
        throws
    {
        let members = [
            "type": "service_account", "project_id": project, "client_email": "importer@example.com",
            "private_key": try Self.key.get().pem, "private_key_id": "1", "token_uri": tokenURI,
        ]
        path = try folder.write(JSONEncoder().encode(members), to: "key.json")
    }

    func account() throws -> GoogleAccount { try GoogleAccount(keyFile: path) }
}
