import Foundation
import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthHTTP
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthTransport
import HearthWire

@testable import HearthServer

/// A main server with a published model, behind a door that changes its answers.
final class LyingMainServer: Sendable {
    /// Changes an answer before the follower gets it; one with the status 0 never comes.
    typealias Lie = @Sendable (_ path: String, _ answer: TransportResponse) -> TransportResponse

    static let bytes = [UInt8]((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    static let token = "hearth_mirror_test"
    static let apiKey = "test-api-key"
    static let appID = "1:1:ios:aa"

    let hash = SHA256Hasher.hash(LyingMainServer.bytes[...]).hex
    let url: String
    private let real: Real
    private let door: RawServer
    private let lie: LieHolder

    /// `@unchecked Sendable`: only the test's thread starts and stops it.
    private final class Real: @unchecked Sendable {
        let server: Server

        init(_ server: Server) { self.server = server }

        deinit { server.stop() }
    }

    private final class LieHolder: Sendable {
        let lie = Lock<Lie> { _, answer in answer }
    }

    init(_ folder: String) throws {
        let flags = ["data": folder, "port": "0", "log-level": "error"]
        var configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        configuration.probeProgram = "/bin/false"
        let first = try Server(configuration)
        _ = try first.start()
        first.stop()
        try Self.fill(folder)
        let server = try Server(configuration)
        let address = try server.start().url
        real = Real(server)
        let lie = LieHolder()
        self.lie = lie
        let transport = CurlTransport()
        door = try RawServer { connection in
            while let request = connection.readRequest() {
                let words = request.line.split(separator: " ")
                var sent = TransportRequest(method: String(words[0]), url: address + words[1])
                for name in [
                    "Authorization", "If-None-Match", "Range", "Content-Type", "X-Goog-Api-Key",
                    "X-Goog-Firebase-Installations-Auth",
                ] {
                    if let value = request.header(name) { sent.headers.append((name, value)) }
                }
                if !request.body.isEmpty { sent.body = .bytes(request.body) }
                guard let answer = try? transport.send(sent) else { return }
                let changed = lie.lie.withLock { $0 }(String(words[1]), answer)
                // The line breaks.
                guard changed.status != 0 else { return }
                var head = "HTTP/1.1 \(changed.status) X\r\nContent-Length: \(changed.body.count)\r\n"
                for (name, value) in changed.headers
                where !["content-length", "connection", "transfer-encoding"].contains(name.lowercased()) {
                    head += "\(name): \(value)\r\n"
                }
                connection.write(Array((head + "\r\n").utf8) + (changed.status == 304 ? [] : changed.body))
            }
        }
        url = "http://127.0.0.1:\(door.port)"
    }

    func tell(_ lie: @escaping Lie) { self.lie.lie.withLock { $0 = lie } }

    /// A token for followers, and a model with one version for all devices.
    private static func fill(_ folder: String) throws {
        let store = try SQLiteMetadataStore(path: folder + "/hearth.sqlite")
        let blobs = try FileBlobStore(folder: folder + "/blobs")
        let blob = try blobs.begin(limitBytes: 1 << 20)
        try bytes.withUnsafeBytes { try blob.write($0) }
        let hash = try blob.seal().sha256.hex
        try blob.commit()
        try store.write { store in
            let project = try store.projects()[0].id
            try store.insert(
                AdminToken(
                    id: "mirror", projectID: nil, name: "site", role: .mirror,
                    secretHash: SHA256Hasher.hash(Array(token.utf8)).hex, createdMicroseconds: 1,
                    createdBy: "test"))
            try store.insert(
                APIKey(
                    id: "site", projectID: project, name: "site", appID: appID, bundleIDs: [],
                    secretHash: SHA256Hasher.hash(Array(apiKey.utf8)).hex, createdMicroseconds: 1))
            let model = Model(
                id: 1_000_001, projectID: project, displayName: "flowers", tags: [], newestVersion: 1,
                isPublished: true,
                releasedVersion: 1, createdMicroseconds: 1, updatedMicroseconds: 1)
            try store.insert(model)
            try store.insert(
                ModelVersion(
                    modelID: 1_000_001, number: 1, sha256: hash, sizeBytes: UInt64(bytes.count), sourceURI: "gs://b/o",
                    createdMicroseconds: 1, createdBy: "test"))
            try store.insert(
                Release(
                    modelID: 1_000_001, number: 1, version: 1, kind: .publish, createdMicroseconds: 1, createdBy: "test"
                ))
        }
    }
}
