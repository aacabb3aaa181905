import HearthApp
import HearthClient
import HearthTransport
import HearthWire

/// Asks the server which version of a model this device gets, and where the file is. Blocks.
struct DownloadInfoCall {
    let app: FirebaseApp

    /// - Parameters:
    ///   - mayDownload: Whether the device would download another version now. The server is told if not, so that it does
    ///     not take the version for one that the device gave up.
    ///   - obstacles: Versions that the device does not install. The server is told, so that the guards of a release know.
    func send(
        _ name: String, installedHash: String?, mayDownload: Bool, obstacles: [CannotInstall] = [],
        settings: DeliverySettings, attempts: DownloadAttempts
    ) throws(DownloadFailure) -> DownloadRules.InfoStep {
        let client: ServerClient
        do throws(MissingOptions) {
            client = try app.server.get()
        } catch {
            throw .notConfigured(error)
        }
        var call = ServerCall(
            "GET", .v1beta2, "models/\(PercentEncoding.encode(name)):download",
            headers: app.reportedDescription.headers,
            longestSeconds: 60, stallSeconds: settings.stallSeconds, maxResponseBytes: 1 << 20)
        if !mayDownload { call.headers.append((WireHeader.waitsFor, "conditions")) }
        if !obstacles.isEmpty {
            let words = obstacles.suffix(CannotInstall.limit).map(\.word)
            call.headers.append((WireHeader.cannotInstall, words.joined(separator: ",")))
        }
        if let installedHash { call.headers.append(("if-none-match", installedHash)) }
        var secrets = [client.address.apiKey]
        let response: TransportResponse
        do throws(ClientError) {
            response = try client.send(
                call, as: Installations.installations(app: app), deadline: attempts.deadline,
                cancellation: attempts.cancellation,
                body: { identity in
                    secrets.append(identity.token)
                    return .none
                })
        } catch {
            throw DownloadFailure(aboutInfo: error, without: secrets)
        }
        return try DownloadRules.afterInfo(
            response,
            to: .init(
                installedHash: installedHash, serverURL: client.address.baseURL, limitBytes: settings.maxModelBytes,
                now: app.environment.clock.now(), secrets: secrets))
    }
}
