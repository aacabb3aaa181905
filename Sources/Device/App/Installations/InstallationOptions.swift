import Foundation
import HearthClient
import HearthWire

/// Checks the options that Installations needs. Google's library ends the process when one is missing. In Hearth, an
/// operator may have written the options, so each call fails with `invalidConfiguration` instead.
enum InstallationOptions {
    static func address(_ options: FirebaseOptions) -> Result<ServerAddress, NSError> {
        let address: ServerAddress
        do throws(MissingOptions) {
            address = try options.serverAddress()
        } catch {
            return failure("The following parameters are nil or empty: \(error.list).")
        }
        guard WireNames.isAPIKey(address.apiKey) else {
            return failure(
                """
                `FirebaseOptions.apiKey` doesn't match the expected format: 39 letters, digits, `-` and `_`, of which \
                the first is an `A`.
                """)
        }
        return .success(address)
    }

    private static func failure(_ what: String) -> Result<ServerAddress, NSError> {
        .failure(
            InstallationsErrorCode.error(
                .invalidConfiguration,
                "Could not configure Firebase Installations due to invalid FirebaseApp options. \(what)"))
    }
}
