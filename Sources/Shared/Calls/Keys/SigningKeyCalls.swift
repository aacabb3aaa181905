import HearthWire

/// The keys that sign tokens and links.
package enum SigningKeyCalls {
    package static let list = Call<Lane.Now, NoBody, SigningKeyBodies.List>(
        .get, "hearth/v1/server/signingKeys", .serverOperator, .server,
        "List the keys that sign tokens and links, without the secrets; for operators.")

    package static let rotate = Call<Lane.Change, NoBody, SigningKeyBodies.Key>(
        .post, "hearth/v1/server/signingKeys", .serverOperator, .server,
        "Make a new key, which signs from then on; older keys stay valid.")

    package static let retire = Call<Lane.Change, NoBody, SigningKeyBodies.Key>(
        .post, "hearth/v1/server/signingKeys/{key}:retire", .serverOperator, .server,
        """
        Retire a key that does not sign any more. The server then refuses all tokens and links that it signed: \
        devices register again, as new installations, and tools get new access tokens. The id `former` means the \
        keys of the main server that this server followed before it was promoted.
        """
    )
}
