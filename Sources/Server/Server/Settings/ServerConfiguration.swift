import Foundation
import HearthFiles
package import HearthHTTP
import HearthMaintenance
package import HearthRouting
package import HearthValidation

/// All settings of a server, with the defaults. `ServerSetting` has their names and ranges.
package struct ServerConfiguration: Sendable {
    package var dataFolder = "hearth-data"
    /// The project that the first start makes. Nil: the project of the data folder, or a default in an empty one.
    package var projectID: String?
    /// Whether the server refuses a data folder of another project. Not if the id comes from the environment, where it names the
    /// project of other commands.
    package var insistsOnProject = true

    /// A PostgreSQL database and an S3-compatible store; both are nil for a server that keeps everything in its folder.
    package var databaseURL: String?
    package var blobsURL: String?
    package var blobCacheMebibytes: UInt64 = 10_240
    package var modelLinks = ModelLinks.server
    package var databaseWriters = 4
    package var databaseReaders = 8

    package var address = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 8787
    package var publicURL: String?
    /// Numeric address and port; nil for none of its own.
    package var adminAddress: String?
    /// Where tools and browsers reach `adminAddress`.
    package var adminURL: String?
    package var console = ConsoleChoice.auto
    package var consoleLifetimes = ConsoleLifetimes()
    package var tlsCertificateFile: String?
    package var tlsKeyFile: String?
    package var tlsMinimumVersion = TLSVersion.v1_2
    package var allowsInsecureHTTP = false

    package var trustedProxies = AddressRanges()
    package var countryHeader: String?
    package var accelRedirectPrefix: String?

    package var connections = ServerLimits.ofProgram
    package var requests = ServiceLimits()
    package var allowedOrigins = AllowedOrigins.any
    package var probes = ProbeLimits()
    /// The program that validates uploaded models when it is started as `PROGRAM probe`. No server starts without one.
    package var probeProgram: String?
    /// How long a model file stays in the trash.
    package var unreferencedDays = 7

    /// How long the server still works after it was asked to stop.
    package var drainSeconds = 0.0

    package var logFormat = LogFormat.text
    /// Nil for standard error.
    package var logFile: String?
    package var logLevel = LogLevel.info
    package var metricsReaders = AddressRanges()

    /// The engine of the program that validates models, for the reader of the server's state.
    package var engine: String?
    /// Where the values come from, by the setting's name; settings with their default are absent.
    var sources: [String: SettingSource] = [:]

    package init() {}
}

extension ServerLimits {
    /// A program has time to stop; the default for a library is short.
    fileprivate static var ofProgram: ServerLimits {
        var limits = ServerLimits()
        limits.stopGraceSeconds = 60
        return limits
    }
}

extension ServerConfiguration {
    /// Checks settings that depend on each other.
    ///
    /// - Throws: if the values contradict each other.
    func check() throws(ServerSettingsError) {
        guard (tlsCertificateFile == nil) == (tlsKeyFile == nil) else {
            throw ServerSettingsError("--tls-certificate and --tls-key go together.")
        }
        guard connections.connections >= connections.threads else {
            throw ServerSettingsError(
                "--connections \(connections.connections) must not be below --threads \(connections.threads).")
        }
        guard (databaseURL == nil) == (blobsURL == nil) else {
            throw ServerSettingsError("--database and --blobs go together.")
        }
        guard modelLinks != .store || blobsURL != nil else {
            throw ServerSettingsError("--model-links store needs a store: give --blobs.")
        }
        guard blobsURL == nil || accelRedirectPrefix == nil else {
            throw ServerSettingsError(
                "With --blobs a proxy does not find the model files on this machine: leave --accel-redirect out.")
        }
        guard countryHeader == nil || !trustedProxies.isEmpty else {
            throw ServerSettingsError(
                "The server believes --country-header only from proxies: name them with --trusted-proxies.")
        }
        try checkAddress()
    }

    private func checkAddress() throws(ServerSettingsError) {
        if let admin = adminListener {
            try checkAdmin(admin.address)
        } else if adminURL != nil {
            throw ServerSettingsError("--admin-url is the address of --admin-address; give both.")
        }
        let parsed = ListenAddress(address)
        guard parsed?.isLoopback == true || tlsCertificateFile != nil || allowsInsecureHTTP else {
            throw ServerSettingsError(
                """
                Listening on \(address) without TLS would send keys in clear text. Give --tls-certificate and \
                --tls-key, or --insecure-http behind a proxy that does TLS.
                """)
        }
        guard parsed?.isWildcard != true || publicURL != nil else {
            throw ServerSettingsError(
                """
                Links and credentials would carry \(address), which no other machine can use. Give --public-url with \
                the address that devices and tools use.
                """)
        }
    }
}

extension ServerConfiguration {
    private func checkAdmin(_ address: String) throws(ServerSettingsError) {
        let parsed = ListenAddress(address)
        guard parsed?.isLoopback == true || tlsCertificateFile != nil || allowsInsecureHTTP else {
            throw ServerSettingsError(
                """
                Listening on --admin-address \(address) without TLS would send keys in clear text. Give --tls-certificate \
                and --tls-key, or --insecure-http behind a proxy that does TLS.
                """)
        }
        guard parsed?.isWildcard != true || adminURL != nil else {
            throw ServerSettingsError(
                """
                Credentials would carry \(address), which no other machine can use. Give --admin-url with the address that \
                tools and browsers use.
                """)
        }
    }

    /// The address and the port of `adminAddress`.
    var adminListener: (address: String, port: UInt16)? { adminAddress.flatMap(Self.listener) }

    /// Parses `127.0.0.1:8788` and `[::1]:8788`.
    static func listener(_ text: String) -> (address: String, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var address = text[..<colon]
        if address.hasPrefix("["), address.hasSuffix("]") {
            address = address.dropFirst().dropLast()
        } else if address.contains(":") {
            return nil
        }
        return ListenAddress(String(address)) == nil ? nil : (String(address), port)
    }

    /// Whether the server has a console: by default only where no other machine can reach it.
    var isConsoleServed: Bool {
        switch console {
        case .on: true
        case .off: false
        case .auto: ListenAddress(adminListener?.address ?? address)?.isLoopback == true
        }
    }
}

/// Whether the server has a console.
package enum ConsoleChoice: String, CaseIterable, Sendable {
    /// On a loopback address only.
    case auto
    case on
    case off
}

/// The settings in the form that the server's parts take.
extension ServerConfiguration {
    /// - Throws: when a TLS file cannot be read or used.
    var http: HTTPServerConfiguration {
        get throws {
            HTTPServerConfiguration(
                address: address, port: port, tls: try tls, limits: connections, trustedProxies: trustedProxies)
        }
    }

    /// A listener for few peers: people and their tools.
    var adminHTTP: HTTPServerConfiguration? {
        get throws {
            guard let admin = adminListener else { return nil }
            var limits = connections
            limits.threads = min(limits.threads, 2)
            limits.connections = max(limits.threads, min(limits.connections, Self.adminConnections))
            limits.connectionsPerAddress = 0
            return HTTPServerConfiguration(
                address: admin.address, port: admin.port, tls: try tls, limits: limits,
                trustedProxies: trustedProxies)
        }
    }

    static let adminConnections = 256

    /// As many validations run as there are probes.
    var queue: QueueLimits {
        var limits = QueueLimits()
        limits.concurrentChecks = probes.concurrentProbes
        return limits
    }

    var maintenance: MaintenanceRules.Limits {
        MaintenanceRules.Limits(
            unusedUploadDays: requests.unusedUploadDays, uploadSessionDays: requests.uploadSessionDays,
            unreferencedDays: unreferencedDays)
    }

    /// At most half of the connections may be update streams, so that other requests get through.
    var service: ServiceLimits {
        var limits = requests
        limits.updateStreams.streams = min(limits.updateStreams.streams, max(1, connections.connections / 2))
        limits.waitingFetchesPerProject = limits.waitingReadsPerProject
        return limits
    }

    /// The certificate and key, read from their files now; nil without TLS.
    var tls: HTTPServerConfiguration.TLS? {
        get throws {
            guard let tlsCertificateFile, let tlsKeyFile else { return nil }
            let tls = HTTPServerConfiguration.TLS(
                certificatePEM: try Self.text(of: tlsCertificateFile), privateKeyPEM: try Self.text(of: tlsKeyFile),
                minimumVersion: tlsMinimumVersion)
            try tls.check(certificate: "The file \(tlsCertificateFile)", key: "the file \(tlsKeyFile)")
            return tls
        }
    }

    private static func text(of file: String) throws(ServerStartError) -> String {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try DiskFiles().read(file, limitBytes: 1 << 20)
        } catch {
            throw ServerStartError("\(error.message).", cause: error)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ServerStartError("Cannot read \(file): it is not text.")
        }
        return text
    }
}

/// An impossible setting: which one, where it was given, and what to give instead, in one line.
package struct ServerSettingsError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// A numeric IP address to listen on.
package struct ListenAddress {
    package let isLoopback: Bool
    /// Whether it means every address of the machine, so that others cannot connect to it.
    let isWildcard: Bool

    /// Nil if `text` is not a numeric address. Wraps `inet_pton`.
    package init?(_ text: String) {
        guard let bytes = Self.bytes(AF_INET, 4, text) ?? Self.bytes(AF_INET6, 16, text) else { return nil }
        isWildcard = bytes.allSatisfy { $0 == 0 }
        let isIPv6Loopback = bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
        isLoopback = bytes.count == 4 && bytes[0] == 127 || isIPv6Loopback
    }

    private static func bytes(_ family: Int32, _ count: Int, _ text: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
