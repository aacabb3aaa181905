import Foundation
import HearthClient
import HearthConcurrency
import HearthFiles
import HearthTransport
import HearthWire

/// Manages the installation's identity: registers it, renews its token, deletes it. Blocks. Several threads and
/// processes may use it; a lock file separates them.
struct InstallationClient: Sendable {
    let folder: String
    let files: any FileOperations
    let clock: any DeviceClock
    /// The calls to the server; a failure when the options are invalid.
    let calls: Result<InstallationCalls, NSError>
    let throttle: InstallationThrottle
    private let cancellation: Cancellation
    /// Called whenever the id on this device changes, while the lock is held.
    let didChange: @Sendable () -> Void

    init(
        folder: String, options: FirebaseOptions, environment: DeviceEnvironment,
        cancellation: Cancellation = Cancellation(), didChange: @escaping @Sendable () -> Void = {}
    ) {
        self.folder = folder
        files = environment.files
        clock = environment.clock
        calls = InstallationOptions.address(options).map {
            InstallationCalls(
                appID: options.googleAppID,
                client: ServerClient(address: $0, transport: environment.transport, clock: environment.clock),
                cancellation: cancellation)
        }
        throttle = InstallationThrottle(environment)
        self.cancellation = cancellation
        self.didChange = didChange
    }

    /// The id, made and stored at the first call. Needs no network and does not wait for running calls.
    func installationID() throws -> String {
        if let record = try load() { return record.fid }
        return try locked { try currentRecord().fid }
    }

    /// A token that is valid for at least another hour.
    func authToken(forcingRefresh: Bool) throws -> InstallationToken {
        let calls = try calls.get()
        // Read before the lock, which another process may hold while it waits for the server.
        if let record = try load(), case .use(let token) = step(record, forcingRefresh) { return token }
        try throttle.check()
        return try locked {
            let record = try currentRecord()
            switch step(record, forcingRefresh) {
            case .use(let token): return token
            case .register: return try register(record, calls)
            case .refresh(let refreshToken):
                if let renewed = try renew(record, refreshToken, calls) { return renewed }
                // The server does not know this installation any more: register a new one, as Google's clients do.
                return try register(try replaceRecord(), calls)
            }
        }
    }

    /// Deletes the identity, first on the server if it is registered there; the next call makes a new one. When the
    /// server cannot be reached or refuses, the identity stays.
    func delete() throws {
        try locked {
            guard try files.size(path) != nil else { return }
            if let record = try load(), let refreshToken = record.refreshToken {
                let response = try calls.get().delete(fid: record.fid, refreshToken: refreshToken)
                guard (200...299).contains(response.status) || [401, 404].contains(response.status) else {
                    throw refused(response)
                }
            }
            try files.remove(path)
            try files.synchronizeFolder(folder)
            didChange()
        }
    }

    private var path: String { FilePath.join(folder, InstallationRecord.fileName) }

    private func step(_ record: InstallationRecord, _ forcingRefresh: Bool) -> TokenAction {
        .next(record, forcingRefresh: forcingRefresh, nowSeconds: clock.now().seconds)
    }

    private func load() throws -> InstallationRecord? {
        try mapped { () throws(FileError) in try InstallationRecord.load(folder: folder, files: files) }
    }

    private func currentRecord() throws -> InstallationRecord { try load() ?? replaceRecord() }

    private func replaceRecord() throws -> InstallationRecord {
        let record = InstallationRecord.new()
        try record.save(folder: folder, files: files)
        didChange()
        return record
    }

    private func register(_ record: InstallationRecord, _ calls: InstallationCalls) throws -> InstallationToken {
        let response = try calls.create(fid: record.fid)
        throttle.record(.create, response)
        guard (200...299).contains(response.status) else { throw refused(response) }
        let answer: InstallationBodies.CreateResponse = try decode(response)
        var registered = InstallationRecord(fid: answer.fid.flatMap { $0.isEmpty ? nil : $0 } ?? record.fid)
        guard InstallationID.isValid(registered.fid),
            InstallationToken.isCredential(answer.refreshToken)
        else { throw Self.malformedResponse() }
        registered.refreshToken = answer.refreshToken
        let token = try store(answer.authToken, in: registered)
        if registered.fid != record.fid { didChange() }
        return token
    }

    /// nil when the server does not know the installation.
    private func renew(
        _ record: InstallationRecord, _ refreshToken: String, _ calls: InstallationCalls
    ) throws -> InstallationToken? {
        let response = try calls.renew(fid: record.fid, refreshToken: refreshToken)
        throttle.record(.renew, response)
        if response.status == 401 || response.status == 404 { return nil }
        guard (200...299).contains(response.status) else { throw refused(response) }
        return try store(try decode(response), in: record)
    }

    private func store(
        _ answer: InstallationBodies.AuthToken, in record: InstallationRecord
    ) throws -> InstallationToken {
        let now = clock.now().seconds
        guard let token = InstallationToken(answer, nowSeconds: now) else { throw Self.malformedResponse() }
        var record = record
        record.authToken = token.token
        record.authTokenExpires = token.expires
        record.authTokenObtained = now
        try record.save(folder: folder, files: files)
        return token
    }

    private func decode<Body: Decodable>(_ response: TransportResponse) throws -> Body {
        do {
            return try WireJSON.decode(Body.self, from: response.body)
        } catch {
            throw Self.malformedResponse(error)
        }
    }

    private static func malformedResponse(_ cause: (any Error)? = nil) -> NSError {
        InstallationsErrorCode.error(
            .unknown, "Malformed response from the server about the installation.", underlying: cause)
    }

    private func refused(_ response: TransportResponse) -> NSError {
        InstallationsErrorCode.error(
            .unknown, InstallationCalls.reason(response), underlying: throttle.refusal(response.status))
    }

    private func locked<Value>(_ body: () throws -> Value) throws -> Value {
        try mapped {
            try files.makeFolder(folder, mode: 0o700)
            // Another process of the app may hold the lock during a whole call.
            let acquired = try FileLock.acquire(FilePath.join(folder, "installation.lock")) {
                !cancellation.isCancelled
            }
            guard let lock = acquired else { throw InstallationCalls.appDeleted }
            return try withExtendedLifetime(lock, body)
        }
    }

    /// Turns file errors into errors of the installations domain.
    private func mapped<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as FileError {
            throw InstallationsErrorCode.error(.keychain, error.message, underlying: error)
        }
    }
}
