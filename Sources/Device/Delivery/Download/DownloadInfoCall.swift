import Foundation
import HearthApp
import HearthTransport

/// The question to the server which version of a model is published, and where its file is. Blocks.
struct DownloadInfoCall {
    let address: ServerAddress
    let environment: DeviceEnvironment
    let authToken: AuthToken
    let description: @Sendable () -> DeviceDescription

    private static let longestSeconds: Double = 60
    private static let maxAnswerBytes: UInt64 = 1 << 20

    func ask(
        _ name: String, token: String, installedHash: String?, settings: DeliverySettings, attempts: DownloadAttempts
    ) throws(DownloadFailure) -> DownloadRules.InfoStep {
        // The token may have taken its time.
        try attempts.check()
        var headers = address.headers + [("x-goog-firebase-installations-auth", token)] + description().headers
        if let installedHash { headers.append(("if-none-match", installedHash)) }
        let path = "/v1beta2/projects/\(ServerAddress.segment(address.projectID))/models/\(ServerAddress.segment(name))"
        let request = TransportRequest(
            url: address.url(path + ":download"), headers: headers,
            totalTimeoutSeconds: min(Self.longestSeconds, attempts.remainingSeconds),
            stallTimeoutSeconds: settings.stallSeconds, maxResponseBytes: Self.maxAnswerBytes,
            cancellation: attempts.cancellation)
        let response: TransportResponse
        do {
            response = try environment.transport.send(request)
        } catch {
            throw .aboutInfo(error)
        }
        return try DownloadRules.afterInfo(
            response,
            to: .init(
                installedHash: installedHash, serverURL: address.baseURL, limitBytes: settings.maxModelBytes,
                now: environment.clock.now(), secrets: [address.apiKey, token]))
    }

    /// - Throws: what `attempts` throws when the token takes too long or is not wanted any more.
    func token(renewing: Bool, attempts: DownloadAttempts) throws(DownloadFailure) -> String {
        do {
            return try authToken(renewing) { try attempts.check() }
        } catch let failure as DownloadFailure {
            throw failure
        } catch {
            throw .aboutToken(error, without: [address.apiKey])
        }
    }
}
