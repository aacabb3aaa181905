import Foundation
import HearthApp
import HearthFiles
import HearthTransport
import HearthWire

/// Told how many bytes of a file have arrived, and of how many. Called on the fetching thread.
package typealias ByteProgress = (_ completed: UInt64, _ total: UInt64) -> Void

/// Asks the server for a model and installs it. Blocks; knows nothing of queues and callbacks.
struct ModelFetcher: Sendable {
    let store: DeviceStore
    let address: ServerAddress
    let environment: DeviceEnvironment
    /// The installation's token; with true, a new one from the server.
    let authToken: @Sendable (_ forcingRefresh: Bool) throws -> String
    var limitBytes: UInt64 = 2 << 30

    /// The installed model if its file is whole.
    func installed(_ name: String) throws(DownloadError) -> CustomModel? {
        let finding = try mapped { () throws(FileError) in try store.find(name) }
        if case .installed(let model) = finding { return model }
        return nil
    }

    /// The newest published version: the installed one when the server says so, else fetched and installed.
    func latest(_ name: String, progress: @escaping ByteProgress) throws(DownloadError) -> CustomModel {
        let lock = try lock(name)
        defer { withExtendedLifetime(lock) {} }
        let installed = try installed(name)
        var mayRenewLink = true
        var hasRenewedToken = false
        while true {
            switch try askServer(name, installedHash: installed?.hash, renewingToken: hasRenewedToken) {
            case .fail(let error):
                throw error
            case .renewToken:
                guard !hasRenewedToken else { throw .permissionDenied }
                hasRenewedToken = true
            case .keepInstalled:
                guard let installed else { throw .internalError(description: "Model info was deleted unexpectedly.") }
                return installed
            case .download(let link):
                if let model = try download(name, link, mayRenew: mayRenewLink, progress) { return model }
                mayRenewLink = false
            }
        }
    }

    private func askServer(
        _ name: String, installedHash: String?, renewingToken: Bool
    ) throws(DownloadError) -> DownloadRules.InfoStep {
        let token: String
        do {
            token = try authToken(renewingToken)
        } catch {
            throw .internalError(
                description: "Error retrieving auth token. \((error as NSError).localizedDescription)")
        }
        var headers = address.headers + [("x-goog-firebase-installations-auth", token)]
        if let installedHash { headers.append(("if-none-match", installedHash)) }
        let path = "/v1beta2/projects/\(ServerAddress.segment(address.projectID))/models/\(ServerAddress.segment(name))"
        let request = TransportRequest(
            url: address.url(path + ":download"), headers: headers, totalTimeoutSeconds: 60, maxResponseBytes: 1 << 20)
        do {
            let response = try environment.transport.send(request)
            return DownloadRules.afterInfo(
                response, installedHash: installedHash, serverURL: address.baseURL, limitBytes: limitBytes)
        } catch {
            throw .internalError(description: "Failed to retrieve model info: \(error.message)")
        }
    }

    /// nil when the link had expired and a new one may be asked for.
    private func download(
        _ name: String, _ link: DownloadRules.Link, mayRenew: Bool, _ progress: @escaping ByteProgress
    ) throws(DownloadError) -> CustomModel? {
        let file = try mapped { () throws(FileError) in
            let file = try store.begin(name: name, digest: link.digest, size: link.size)
            try file.restart(validator: nil)
            return file
        }
        switch try receive(link, into: file, progress) {
        case .accept:
            return try mapped { () throws(FileError) in
                try store.install(file, name: name, version: link.version)
            }
        case .renewLink where mayRenew: return nil
        case .renewLink: throw .internalError(description: "Unable to update expired model info.")
        case .fail(let error): throw error
        }
    }

    /// Streams the bytes into the file; an answer that is not the file leaves it empty.
    private func receive(
        _ link: DownloadRules.Link, into file: PartialFile, _ progress: @escaping ByteProgress
    ) throws(DownloadError) -> DownloadRules.FileStep {
        var step = DownloadRules.FileStep.accept
        let request = TransportRequest(
            // No limit on the whole: a large file over a slow line takes its time, as long as it moves.
            url: link.url, stallTimeoutSeconds: 60,
            // An error page may be longer than a small model.
            maxResponseBytes: max(link.size, 65_536), redirects: .follow(max: 3))
        do {
            _ = try environment.transport.send(
                request,
                onHead: { head in
                    step = DownloadRules.afterFileHead(status: head.status, link: link, now: environment.clock.now())
                },
                onBody: { bytes in
                    guard step == .accept else { return }
                    try file.write(bytes)
                    progress(file.size, link.size)
                })
        } catch {
            if let cause = error.cause as? FileError { throw Self.error(cause) }
            if error.code == .tooLarge {
                throw .internalError(description: "The downloaded file is not the published one. \(error.message)")
            }
            throw .failedPrecondition
        }
        return step
    }

    private func lock(_ name: String) throws(DownloadError) -> FileLock {
        do {
            return try store.lock(name) {}
        } catch {
            throw (error as? FileError).map(Self.error) ?? .internalError(description: "\(error)")
        }
    }

    private func mapped<Value>(_ body: () throws(FileError) -> Value) throws(DownloadError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw Self.error(error)
        }
    }

    /// The one place where a file error becomes a download error.
    private static func error(_ error: FileError) -> DownloadError {
        switch error.code {
        case .noSpace: .notEnoughSpace
        case .mismatch, .tooLarge:
            .internalError(description: "The downloaded file is not the published one. \(error.message)")
        default: .internalError(description: "Unable to save model file: \(error.message)")
        }
    }
}
