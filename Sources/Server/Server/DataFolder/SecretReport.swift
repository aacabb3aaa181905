import HearthFiles
import HearthStorage

/// Says what an operator should know about the signing keys of a data folder.
extension DataFolder {
    /// - Parameter lacksSecret: whether there was a database without a secret before this start.
    func reportSecrets(lacksSecret: Bool, _ metadata: any MetadataStore, _ log: ServerLog) throws {
        // An interrupted first start had nothing to sign.
        if lacksSecret, try metadata.read({ try !$0.projects().isEmpty }) { log.error(Self.lostSecret(secretFile)) }
        for path in try restrictSecretPermissions() { log.error(Self.openSecret(path)) }
    }

    private static func lostSecret(_ path: String) -> String {
        """
        The signing secret \(path) was missing, so the server made a new one. All device tokens, access tokens and links \
        that it signed are invalid: devices register again and tools sign in again automatically. If the secret was lost, \
        stop the server and restore the folder \(FilePath.folder(of: path)) from a backup.
        """
    }

    private static func openSecret(_ path: String) -> String {
        """
        Other users could access the signing key \(path). The server removed their permissions. If another user may have read \
        it, make a new key and retire this one: hearth keys signing rotate, then hearth keys signing retire. All device tokens, \
        access tokens and links that this key signed then become invalid.
        """
    }
}
