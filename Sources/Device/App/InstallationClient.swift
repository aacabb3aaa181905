import Foundation
import HearthFiles
import HearthTransport
import HearthWire

/// Registers the installation and renews its token. Blocks; calls are serialised by `Installations`, and between
/// processes by a lock file.
struct InstallationClient: Sendable {
    let folder: String
    let appID: String
    let address: ServerAddress?
    let environment: DeviceEnvironment

    private static let sdkVersion = "i:hearth"

    /// The id, made and stored at the first call; needs no network.
    func installationID() throws -> String {
        try locked { try currentRecord().fid }
    }

    /// A token that is valid for another hour at least, and when it expires (seconds since 1970).
    func authToken(forcingRefresh: Bool) throws -> (token: String, expires: Int64) {
        guard let address else {
            throw InstallationsErrorCode.error(
                .invalidConfiguration, "The app's options lack the project id, the API key or the server's address.")
        }
        return try locked {
            var record = try currentRecord()
            switch InstallationStep.next(record, forcingRefresh: forcingRefresh, nowSeconds: environment.clock.now().seconds)
            {
            case .use(let token, let expires):
                return (token, expires)
            case .register:
                return try register(&record, address)
            case .refresh:
                if let renewed = try refresh(&record, address) { return renewed }
                // The server does not know this installation any more: begin anew, as Google's clients do.
                record = .new()
                return try register(&record, address)
            }
        }
    }

    /// Forgets the identity; the next call makes a new one.
    func delete() throws {
        try locked {
            let path = FilePath.join(folder, InstallationRecord.fileName)
            guard try environment.files.size(path) != nil else { return }
            try environment.files.remove(path)
            try environment.files.synchronizeFolder(folder)
        }
    }

    private func currentRecord() throws -> InstallationRecord {
        if let record = try InstallationRecord.load(folder: folder, files: environment.files) { return record }
        let record = InstallationRecord.new()
        try record.save(folder: folder, files: environment.files)
        return record
    }

    private func register(
        _ record: inout InstallationRecord, _ address: ServerAddress
    ) throws -> (token: String, expires: Int64) {
        let body = InstallationBodies.CreateRequest(
            fid: record.fid, authVersion: "FIS_v2", appId: appID, sdkVersion: Self.sdkVersion)
        let response = try send(
            "/v1/projects/\(ServerAddress.segment(address.projectID))/installations", body, [], address)
        guard (200...299).contains(response.status) else { throw Self.refused(response) }
        let answer: InstallationBodies.CreateResponse = try decode(response)
        record = InstallationRecord(fid: answer.fid, refreshToken: answer.refreshToken)
        return try keep(answer.authToken, in: &record)
    }

    /// nil when the server answers that it does not know the installation.
    private func refresh(
        _ record: inout InstallationRecord, _ address: ServerAddress
    ) throws -> (token: String, expires: Int64)? {
        let body = InstallationBodies.GenerateRequest(
            installation: .init(sdkVersion: Self.sdkVersion, appId: appID))
        let project = ServerAddress.segment(address.projectID)
        let fid = ServerAddress.segment(record.fid)
        let response = try send(
            "/v1/projects/\(project)/installations/\(fid)/authTokens:generate", body,
            [("Authorization", "FIS_v2 \(record.refreshToken ?? "")")], address)
        if response.status == 401 || response.status == 404 { return nil }
        guard (200...299).contains(response.status) else { throw Self.refused(response) }
        return try keep(try decode(response), in: &record)
    }

    private func keep(
        _ token: InstallationBodies.AuthToken, in record: inout InstallationRecord
    ) throws -> (token: String, expires: Int64) {
        guard let lifetime = token.lifetimeSeconds, (0...InstallationStep.longestLifetimeSeconds).contains(lifetime)
        else {
            throw InstallationsErrorCode.error(.unknown, "The server's token has no readable lifetime.")
        }
        let expires = environment.clock.now().seconds + lifetime
        record.authToken = token.token
        record.authTokenExpires = expires
        try record.save(folder: folder, files: environment.files)
        return (token.token, expires)
    }

    private func send(
        _ path: String, _ body: some Encodable, _ headers: [(String, String)], _ address: ServerAddress
    ) throws -> TransportResponse {
        let request = TransportRequest(
            method: "POST", url: address.url(path),
            headers: address.headers + headers + [("Content-Type", "application/json")],
            body: .bytes(try WireJSON.encode(body)), totalTimeoutSeconds: 30, maxResponseBytes: 65_536)
        do {
            return try environment.transport.send(request)
        } catch {
            throw InstallationsErrorCode.error(.serverUnreachable, error.message)
        }
    }

    private func decode<Body: Decodable>(_ response: TransportResponse) throws -> Body {
        do {
            return try WireJSON.decode(Body.self, from: response.body)
        } catch {
            throw InstallationsErrorCode.error(.unknown, "The server's answer about the installation is not readable.")
        }
    }

    private static func refused(_ response: TransportResponse) -> NSError {
        let envelope = try? WireJSON.decode(ErrorEnvelope.self, from: response.body)
        let reason = envelope?.error.message ?? "HTTP status \(response.status)"
        return InstallationsErrorCode.error(.unknown, "The server responded with an error: \(reason)")
    }

    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            try environment.files.makeFolder(folder, mode: 0o700)
            let lock = try FileLock.acquire(FilePath.join(folder, "installation.lock"))
            return try withExtendedLifetime(lock, body)
        } catch let error as FileError {
            throw InstallationsErrorCode.error(.keychain, error.message)
        }
    }
}
