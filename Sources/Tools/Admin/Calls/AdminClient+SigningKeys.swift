public import HearthCalls
import HearthWire

/// The keys with which the server signs tokens and links. For operators.
extension AdminClient {
    /// All keys, oldest first, without the secrets.
    ///
    /// - Throws: ``AdminError``.
    public func signingKeys() throws(AdminError) -> [SigningKeyBodies.Key] {
        try call(SigningKeyCalls.list).signingKeys
    }

    /// Makes a new key, which signs from then on. What older keys signed stays valid.
    ///
    /// - Returns: the new key. With several servers it begins to sign at its `signsFromTime`.
    /// - Throws: ``AdminError``.
    public func rotateSigningKey() throws(AdminError) -> SigningKeyBodies.Key {
        try call(SigningKeyCalls.rotate)
    }

    /// Retires a key that does not sign any more: the server then refuses all tokens and links that it signed.
    ///
    /// - Throws: ``AdminError``.
    public func retireSigningKey(_ id: String) throws(AdminError) -> SigningKeyBodies.Key {
        try call(SigningKeyCalls.retire, id)
    }
}
