import Foundation
package import HearthStorageS3
import HearthTransport
import Synchronization
package import Testing

/// A real S3-compatible store that the environment names, for tests. They use one bucket for each process, and a prefix of
/// their own in it.
package enum RealStore: String, CaseIterable, Sendable {
    case radosgw = "TEST_RADOSGW"
    case openStackSwift = "TEST_OPENSTACK_SWIFT"

    /// Those whose variable is set.
    package static var present: [RealStore] { allCases.filter { $0.address != nil } }

    /// For `.enabled(if:)`.
    package static let absence: Comment = "set TEST_RADOSGW or TEST_OPENSTACK_SWIFT, or run scripts/engines"

    /// The keys as a server's environment has them.
    package var environment: [String: String] {
        ["AWS_ACCESS_KEY_ID": address?.user ?? "", "AWS_SECRET_ACCESS_KEY": address?.password ?? ""]
    }

    private var address: URLComponents? {
        guard let text = ProcessInfo.processInfo.environment[rawValue], !text.isEmpty else { return nil }
        return URLComponents(string: text)
    }

    /// A client whose objects have a new prefix, in a bucket that exists.
    package func client(prefix: String = UUID().uuidString) throws -> S3Client {
        try Self.buckets.make(self) { try Self.client(self, prefix: nil) }
        return try Self.client(self, prefix: prefix)
    }

    /// As `client`, over the same objects.
    package func client(secret: String? = nil, like other: S3Client) throws -> S3Client {
        try Self.client(self, prefix: other.configuration.prefix, secret: secret)
    }

    private static func client(_ store: RealStore, prefix: String?, secret: String? = nil) throws -> S3Client {
        struct BadAddress: Error { let variable: String }
        guard let address = store.address, let scheme = address.scheme, let host = address.host,
            let key = address.user, let own = address.password
        else { throw BadAddress(variable: store.rawValue) }
        let port = address.port.map { ":\($0)" } ?? ""
        let configuration = try S3Configuration(
            url: "s3://\(bucket)/\(prefix ?? "")?endpoint=\(scheme)://\(host)\(port)")
        return S3Client(
            configuration, credentials: try S3Credentials(accessKey: key, secretKey: secret ?? own),
            proxy: .none)
    }

    private static let bucket = "hearth-test-\(UUID().uuidString.lowercased())"
    private static let buckets = MadeBuckets()
}

/// Makes each store's bucket once.
private final class MadeBuckets: Sendable {
    private let made = Mutex<Set<RealStore>>([])

    func make(_ store: RealStore, _ client: () throws -> S3Client) throws {
        try made.withLock { made in
            guard !made.contains(store) else { return }
            _ = try client().send(S3Call("PUT", nil))
            made.insert(store)
        }
    }
}
