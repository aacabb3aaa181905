import Foundation
import HearthAPI
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthValidation

/// Settings that belong together, under one title in help and in the guide.
package protocol SettingSection: Sendable {
    static var title: String { get }
    static var settings: [ServerSetting] { get }
}

/// The configuration of a server, whole.
package enum ServerSettings {
    package static let sections: [any SettingSection.Type] = [
        LocationSettings.self, ProxySettings.self, ConnectionSettings.self, RequestSettings.self,
        ModelFileSettings.self,
        ExperimentSettings.self, LogSettings.self,
    ]

    package static let all: [ServerSetting] = sections.flatMap { $0.settings }
}

/// Where the server keeps its data, and where it is reached.
package enum LocationSettings: SettingSection {
    package static let title = "Place"

    package static let settings: [ServerSetting] = [
        .text("data", \.dataFolder, "folder", "Folder of everything the server keeps."),
        .optional(
            "project", \.projectID, "id",
            "Id of the project made at the first start; without one, hearth-default.",
            expectation: "6 to 30 lower-case letters, digits or hyphens", accepts: { Names.isProjectID($0) }),
        .text(
            "address", \.address, "address", "Numeric address to listen on.",
            expectation: "a numeric address, such as 127.0.0.1", accepts: { ListenAddress($0) != nil }),
        .number("port", \.port, 0...65535, "Port to listen on; 0 takes a free one."),
        .optional(
            "public-url", \.publicURL, "url", "Address that devices and tools reach the server under.",
            expectation: "an address that begins with http:// or https://, without a query (?) and a fragment (#)",
            accepts: isPublicURL),
        .optional("tls-certificate", \.tlsCertificateFile, "file", "PEM file of the certificate and its chain."),
        .optional("tls-key", \.tlsKeyFile, "file", "PEM file of the certificate's key."),
        .choice("tls-min-version", \.tlsMinimumVersion, "Minimum TLS version."),
        .toggle(
            "insecure-http", \.allowsInsecureHTTP, "Allow plain HTTP on an address other than loopback."),
    ]

    /// Paths are put behind it, so nothing may stand where they would be lost.
    private static func isPublicURL(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), url.scheme == "http" || url.scheme == "https" else { return false }
        return url.host?.isEmpty == false && url.query == nil && url.fragment == nil
    }
}

/// What a proxy in front of the server may say and do.
package enum ProxySettings: SettingSection {
    package static let title = "Behind a proxy"

    package static let settings: [ServerSetting] = [
        .addresses(
            "trusted-proxies", \.trustedProxies,
            "Proxies whose X-Forwarded-For, -Proto and -Host are believed."),
        .optional(
            "country-header", \.countryHeader, "name",
            "Header field in which a trusted proxy tells the client's country.",
            expectation: "the name of a header field, such as CF-IPCountry", accepts: isToken),
        .optional(
            "accel-redirect", \.accelRedirectPrefix, "path",
            "Path under which nginx sends the model files itself (X-Accel-Redirect).",
            expectation: "a path that begins and ends with '/', such as /hearth-blobs/", accepts: isFolderPath),
    ]

    @Sendable private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= 100
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }

    @Sendable private static func isFolderPath(_ text: String) -> Bool {
        text.hasPrefix("/") && text.hasSuffix("/") && !text.contains("//")
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x2D...0x39).contains(byte) || byte == 0x5F
            }
    }
}

/// How many peers are served, and how long they may take.
package enum ConnectionSettings: SettingSection {
    package static let title = "Connections"

    package static let settings: [ServerSetting] = [
        .number(
            "threads", \.connections.threads, 1...1024, "Threads that answer.", defaultSummary: "one per processor"),
        .number("connections", \.connections.connections, 1...1_000_000, "Connections open at once; more wait."),
        .number(
            "connections-per-address", \.connections.connectionsPerAddress, 0...1_000_000,
            "Connections open at once from one peer address (IPv6: /64 network), other than trusted proxies; 0 means any number."
        ),
        .number(
            "client-requests", \.connections.clientRequests, 0...1_000_000,
            "Requests in progress at once of one client behind trusted proxies; a quarter of the connections at most; 0 means any number."
        ),
        .number(
            "idle-seconds", \.connections.idleSeconds, 0...86_400,
            "Seconds without a byte before a connection is closed; 0 means never."),
        .seconds(
            "head-seconds", \.connections.headSeconds, 0...86_400,
            "Seconds from the first byte of a request's header to its last; 0 means any time."),
        .number(
            "least-bytes-per-second", \.connections.leastBytesPerSecond, 0...1_000_000_000,
            "Bytes per second below which an upload or a download is cut; 0 means any rate."),
        .seconds(
            "rate-window-seconds", \.connections.rateWindowSeconds, 1...3600,
            "Seconds over which least-bytes-per-second is counted."),
        .number("header-bytes", \.connections.headerBytes, 256...1_048_576, "Largest request line with header."),
        .number("header-fields", \.connections.headerFields, 1...10_000, "Most header fields of one request."),
        .seconds(
            "linger-seconds", \.connections.lingerSeconds, 0...3600,
            "Seconds that a refused upload may go on sending before it is cut."),
        .seconds(
            "drain-seconds", \.drainSeconds, 0...3600,
            "Seconds that a server asked to stop serves on, and /readyz answers 503."),
        .seconds(
            "stop-grace-seconds", \.connections.stopGraceSeconds, 0...3600,
            "Seconds that running transfers get to end when the server stops."),
    ]
}

/// What one call may ask for, and how often.
package enum RequestSettings: SettingSection {
    package static let title = "Requests"

    package static let settings: [ServerSetting] = [
        .number("body-bytes", \.requests.requestBodyBytes, 1024...67_108_864, "Largest JSON or form body."),
        .origins(
            "allowed-origins", \.allowedOrigins,
            "Web pages that may make the calls of devices; * means all, nothing means none."),
        .number("page-size", \.requests.pageSize, 1...1000, "Most models on one page of a list."),
        .number(
            "link-seconds", \.requests.linkSeconds, 1...LinkSigner.longestSeconds,
            "Seconds that a link to a model is good for."),
        .number(
            "update-streams", \.requests.updateStreams.streams, 1...1_000_000,
            "Maximum concurrent Remote Config update streams; at most half of the connections."),
        .number(
            "update-streams-project-percent", \.requests.updateStreams.projectPercent, 1...100,
            "Percent of these that one project may have, while others leave them free."),
        .number(
            "update-streams-key-percent", \.requests.updateStreams.keyPercent, 1...100,
            "Percent of these that one API key may have, while others leave them free."),
        .number(
            "update-streams-address-percent", \.requests.updateStreams.networkPercent, 1...100,
            "Percent of these that one client address (IPv6: /64 network) may have."),
        .number(
            "waiting-changes", \.requests.waitingChangesPerProject, 1...10_000,
            "Changes of one project's templates, conditions and experiments that may be queued."),
        .number(
            "waiting-reads", \.requests.waitingReadsPerProject, 1...100_000,
            "Lists and other long reads of one project that may be queued; also long fetches of its devices."),
        .number(
            "key-requests-per-minute", \.requests.rates.key.requestsPerMinute, 0...1_000_000_000,
            "Requests with one API key; 0 means any number."),
        .number("key-burst", \.requests.rates.key.burst, 1...1_000_000, "Of these, how many may come at once."),
        .number(
            "installation-requests-per-minute", \.requests.rates.installation.requestsPerMinute, 0...1_000_000_000,
            "Requests of one installation; 0 means any number."),
        .number(
            "installation-burst", \.requests.rates.installation.burst, 1...1_000_000,
            "Of these, how many may come at once."),
        .number(
            "address-requests-per-minute", \.requests.rates.address.requestsPerMinute, 0...1_000_000_000,
            "Requests of one client address (IPv6: /64 network) without valid credentials; 0 means any number."),
        .number("address-burst", \.requests.rates.address.burst, 1...1_000_000, "Of these, how many may come at once."),
    ]
}

/// How model files come in, are checked, and go.
package enum ModelFileSettings: SettingSection {
    package static let title = "Model files"

    package static let settings: [ServerSetting] = [
        .number("upload-bytes", \.requests.uploadBytes, 1...1_099_511_627_776, "Largest model file."),
        .number(
            "disk-reserve-mebibytes", \.requests.diskReserveMebibytes, 0...1_073_741_824,
            "MiB of disk space to keep free; 0 disables the limit."),
        .number(
            "upload-session-days", \.requests.uploadSessionDays, 1...365,
            "Days before an incomplete resumable upload expires."),
        .number(
            "upload-sessions-per-project", \.requests.uploadSessionsPerProject, 1...100_000,
            "Most uploads in parts that one project may have under way."),
        .number(
            "upload-metadata-bytes", \.requests.uploadMetadataBytes, 1024...1_048_576,
            "Largest JSON that describes a file beside its bytes."),
        .number(
            "unused-upload-days", \.requests.unusedUploadDays, 1...36_500,
            "Days that an uploaded file is kept that no version uses."),
        .number(
            "unreferenced-days", \.unreferencedDays, 1...36_500,
            "Days that a model file is kept aside that no record names any more."),
        .seconds("probe-seconds", \.probes.wallSeconds, 1...3600, "Seconds that the check of one file may take."),
        .number(
            "probe-runs", \.probes.measuredRuns, 0...10_000,
            "Runs of a sound model that are timed; 0 to run none."),
        .seconds(
            "probe-runs-seconds", \.probes.measuredSeconds, 0...3600,
            "Seconds after which no further run of them begins."),
        .seconds(
            "probe-measuring-seconds", \.probes.measuringWallSeconds, 1...3600,
            "Seconds that loading a model and its runs may take in all."),
        .number(
            "concurrent-probes", \.probes.concurrentProbes, 1...64,
            "Files checked at once; more wait. One place is left to other projects."),
        .seconds(
            "validation-wait-seconds", \.requests.validationWaitSeconds, 0...300,
            "Seconds that a call waits for a check before it answers that it goes on."),
    ]
}

/// How experiments are watched.
package enum ExperimentSettings: SettingSection {
    package static let title = "Experiments"

    package static let settings: [ServerSetting] = [
        .seconds(
            "experiment-check-seconds", \.experimentCheckSeconds, 1...86_400,
            "Seconds between two looks at the running experiments, which may end one.")
    ]
}

/// What the server tells about itself, and to whom.
package enum LogSettings: SettingSection {
    package static let title = "Log and metrics"

    package static let settings: [ServerSetting] = [
        .choice("log-format", \.logFormat, "Form of the log's lines."),
        .optional(
            "log-file", \.logFile, "file",
            "File that the log is written to, opened anew upon SIGHUP; else standard error."),
        .choice("log-level", \.logLevel, "What is logged: only failures, or a line per request too."),
        .addresses(
            "metrics-allow", \.metricsReaders, "Who may read /metrics, beside programs on this machine."),
    ]
}
