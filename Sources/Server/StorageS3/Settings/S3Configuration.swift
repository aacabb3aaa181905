import Foundation
import HearthTransport

/// Where the objects of a store are, and how to talk to it. Contains no secrets.
package struct S3Configuration: Sendable, Hashable {
    /// Where a request names the bucket.
    package enum Addressing: String, Sendable, CaseIterable {
        /// In the path: `https://host/bucket/key`. Every store understands it.
        case path
        /// In the host's name: `https://bucket.host/key`. Amazon's newer regions want it.
        case host
    }

    /// Scheme, host and port, such as `https://store.example:9000`.
    package private(set) var endpoint: String
    package private(set) var bucket: String
    /// Begins the key of every object; without slashes at its ends, and empty for none.
    package var prefix: String
    package private(set) var region: String
    package private(set) var addressing: Addressing
    /// A PEM file of the certificates to trust instead of the system's.
    package private(set) var caFile: String?
    /// How long a connection may take, and how long no byte may move.
    package private(set) var timeoutSeconds: Double
    /// How often one request is sent before it counts as failed.
    package private(set) var attempts: Int

    /// As they are in a URL after `?`.
    private enum Parameter: String, CaseIterable {
        case endpoint, region, addressing, ca, timeout, attempts
    }

    private static let form = "s3://BUCKET/PREFIX?endpoint=https://HOST:PORT&region=REGION"

    /// - Parameter url: `s3://BUCKET[/PREFIX]`, followed by `?` and any of these, separated by `&`:
    ///   - `endpoint`: address of the store; Amazon's for the region without it.
    ///   - `region`: `us-east-1` without it.
    ///   - `addressing`: `path` (the default) or `host`.
    ///   - `ca`: path of a PEM file of the certificates to trust.
    ///   - `timeout`: 1 to 600 seconds; 20 without it.
    ///   - `attempts`: 1 to 10; 4 without it.
    package init(url: String) throws(S3ConfigurationError) {
        let halves = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves[0].hasPrefix("s3://") else {
            throw S3ConfigurationError("The address of a model store begins with s3://. Give one like \(Self.form)")
        }
        let place = halves[0].dropFirst("s3://".count)
            .split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = try Self.bucket(place.first ?? "")
        prefix = try Self.prefix(place.count > 1 ? place[1] : "")
        let values = try Self.parameters(halves.count > 1 ? halves[1] : "")
        region = values[.region] ?? "us-east-1"
        guard !region.isEmpty, region.utf8.allSatisfy(Self.isNameCharacter) else {
            throw S3ConfigurationError("The region of a model store has letters, digits and - only, such as us-east-1.")
        }
        guard let addressing = Addressing(rawValue: values[.addressing] ?? "path") else {
            throw S3ConfigurationError("The parameter 'addressing' of a model store is path or host.")
        }
        self.addressing = addressing
        endpoint = try Self.endpoint(values[.endpoint] ?? "https://s3.\(region).amazonaws.com")
        guard addressing == .path || !bucket.contains(".") || endpoint.hasPrefix("http:") else {
            throw S3ConfigurationError(
                "A bucket with a dot in its name has no valid certificate as a host. Use addressing=path, or another bucket."
            )
        }
        caFile = values[.ca]
        timeoutSeconds = try Double(Self.number(values[.timeout] ?? "20", .timeout, 1...600))
        attempts = try Self.number(values[.attempts] ?? "4", .attempts, 1...10)
    }

    /// The letters, digits, dots and hyphens that buckets have.
    private static func bucket(_ text: Substring) throws(S3ConfigurationError) -> String {
        // The text is not shown, because it may contain a secret.
        guard !text.contains("@") else {
            throw S3ConfigurationError(
                """
                The address of a model store has no user name or password. Give the keys in AWS_ACCESS_KEY_ID and \
                AWS_SECRET_ACCESS_KEY, or in a credentials file.
                """
            )
        }
        guard (3...63).contains(text.utf8.count), text.utf8.allSatisfy({ isNameCharacter($0) || $0 == 0x2E }) else {
            throw S3ConfigurationError(
                "A bucket's name has 3 to 63 letters, digits, dots and hyphens. Give an address like \(form)")
        }
        return String(text)
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }

    private static func prefix(_ text: Substring) throws(S3ConfigurationError) -> String {
        guard let decoded = String(text).removingPercentEncoding else {
            throw S3ConfigurationError("The prefix of a model store has an invalid % sequence.")
        }
        let parts = decoded.split(separator: "/", omittingEmptySubsequences: true)
        // HTTP libraries resolve dots before the store sees them, and XML cannot carry control characters.
        guard decoded.utf8.count <= 512, !parts.contains("."), !parts.contains(".."),
            !decoded.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw S3ConfigurationError(
                "The prefix of a model store has at most 512 bytes, no control characters, and no part that is . or ..")
        }
        return parts.joined(separator: "/")
    }

    private static func parameters(_ text: Substring) throws(S3ConfigurationError) -> [Parameter: String] {
        var values: [Parameter: String] = [:]
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            // Only the name is shown: the value of an unknown parameter may be a secret.
            guard let parameter = Parameter(rawValue: String(halves[0])) else {
                let known = Parameter.allCases.map(\.rawValue).joined(separator: ", ")
                throw S3ConfigurationError(
                    "The address of a model store has an unknown parameter '\(halves[0].prefix(32))'. Known are: \(known)."
                )
            }
            guard halves.count == 2, !halves[1].isEmpty, let value = String(halves[1]).removingPercentEncoding else {
                throw S3ConfigurationError("The parameter '\(parameter.rawValue)' of a model store has no valid value.")
            }
            guard values.updateValue(value, forKey: parameter) == nil else {
                throw S3ConfigurationError("The parameter '\(parameter.rawValue)' of a model store is there twice.")
            }
        }
        return values
    }

    private static func endpoint(_ text: String) throws(S3ConfigurationError) -> String {
        let url: TransportURL
        do { url = try TransportURL(text) } catch {
            throw S3ConfigurationError("The parameter 'endpoint' of a model store is wrong: \(error.message).")
        }
        let isDefaultPort = (url.scheme, url.port) == ("https", "443") || (url.scheme, url.port) == ("http", "80")
        let origin = "\(url.scheme)://\(url.host)" + (isDefaultPort ? "" : ":\(url.port)")
        guard ["", "/"].contains(text.dropFirst("\(url.scheme)://".count).drop { !"/?#".contains($0) }) else {
            throw S3ConfigurationError(
                "The parameter 'endpoint' of a model store has only scheme, host and port, such as https://store.example:9000."
            )
        }
        return origin
    }

    private static func number(
        _ text: String, _ parameter: Parameter, _ range: ClosedRange<Int>
    ) throws(S3ConfigurationError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw S3ConfigurationError(
                "The parameter '\(parameter.rawValue)' of a model store is a number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    /// For messages: which store is meant.
    package var place: String { "bucket '\(bucket)' at \(endpoint)" }

    /// The key of an object below the prefix.
    func key(_ name: String) -> String { prefix.isEmpty ? name : "\(prefix)/\(name)" }
}

/// What is wrong with the settings of a model store, and what to do. Never shows a secret.
package struct S3ConfigurationError: Error, Sendable, CustomStringConvertible {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
