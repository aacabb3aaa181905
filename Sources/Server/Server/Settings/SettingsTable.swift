import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthValidation

/// Settings with a common title in help and in the guide.
package protocol SettingSection: Sendable {
    static var title: String { get }
    static var settings: [ServerSetting] { get }
}

/// All settings of a server.
package enum ServerSettings {
    package static let sections: [any SettingSection.Type] = [
        LocationSettings.self, SharedDataSettings.self, ConsoleSettings.self, ProxySettings.self,
        ConnectionSettings.self, RequestSettings.self,
        ModelFileSettings.self,
        ExperimentSettings.self, LogSettings.self,
    ]

    package static let all: [ServerSetting] = sections.flatMap { $0.settings }
}

/// The place of the data, and the address of the server.
package enum LocationSettings: SettingSection {
    package static let title = "Place"

    package static let settings: [ServerSetting] = [
        .text("data", \.dataFolder, "folder", "Folder in which the server keeps everything."),
        .optional(
            "project", \.projectID, "id",
            "Id of the project that the first start makes; hearth-default by default.",
            expectation: "6 to 30 lower-case letters, digits or hyphens", accepts: { Names.isProjectID($0) }),
        .text(
            "address", \.address, "address", "Numeric address that the server listens on.",
            expectation: "a numeric address, such as 127.0.0.1", accepts: { ListenAddress($0) != nil }),
        .number("port", \.port, 0...65535, "Port that the server listens on; 0 takes a free one."),
        .optional(
            "public-url", \.publicURL, "url", "Address at which devices and tools reach the server.",
            expectation: "an address that begins with http:// or https://, without a query (?) and a fragment (#)",
            accepts: isPublicURL),
        .optional("tls-certificate", \.tlsCertificateFile, "file", "PEM file of the certificate and its chain."),
        .optional("tls-key", \.tlsKeyFile, "file", "PEM file of the certificate's key."),
        .choice("tls-min-version", \.tlsMinimumVersion, "Minimum TLS version."),
        .toggle(
            "insecure-http", \.allowsInsecureHTTP, "Allow plain HTTP on an address other than loopback."),
    ]

    /// The server appends paths to it, so a query or a fragment would be wrong.
    static func isPublicURL(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), url.scheme == "http" || url.scheme == "https" else { return false }
        return url.host?.isEmpty == false && url.query == nil && url.fragment == nil
    }
}

/// The web console, and the address of people and tools.
package enum ConsoleSettings: SettingSection {
    package static let title = "Console"

    package static let settings: [ServerSetting] = [
        .choice(
            "console", \.console, "Whether the server has a web console; auto means on a loopback address only."),
        .optional(
            "admin-address", \.adminAddress, "address:port",
            "Separate address for the console and all calls of tools; --address then answers devices only.",
            expectation: "a numeric address and a port, such as 127.0.0.1:8788 or [::1]:8788",
            accepts: { ServerConfiguration.listener($0) != nil }),
        .optional(
            "admin-url", \.adminURL, "url", "Address at which tools and browsers reach --admin-address.",
            expectation: "an address that begins with http:// or https://, without a query (?) and a fragment (#)",
            accepts: LocationSettings.isPublicURL),
        .number(
            "console-session-hours", \.consoleLifetimes.sessionHours, 1...8760,
            "Hours after which a session of the console ends."),
        .number(
            "console-idle-minutes", \.consoleLifetimes.idleMinutes, 1...525_600,
            "Minutes without use after which a session of the console ends."),
    ]
}

/// What the server believes of a proxy in front of it, and how they share the work.
package enum ProxySettings: SettingSection {
    package static let title = "Behind a proxy"

    package static let settings: [ServerSetting] = [
        .addresses(
            "trusted-proxies", \.trustedProxies,
            "Proxies whose X-Forwarded-For, -Proto and -Host the server believes."),
        .optional(
            "country-header", \.countryHeader, "name",
            "Header field in which a trusted proxy sends the client's country.",
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

/// Limits on the number and the duration of connections.
package enum ConnectionSettings: SettingSection {
    package static let title = "Connections"

    package static let settings: [ServerSetting] = [
        .number(
            "threads", \.connections.threads, 1...1024, "Threads that answer requests.",
            defaultSummary: "one per processor"),
        .number(
            "connections", \.connections.connections, 1...1_000_000, "Maximum number of open connections; more wait."),
        .number(
            "connections-per-address", \.connections.connectionsPerAddress, 0...1_000_000,
            "Maximum number of open connections from one peer address (IPv6: /64 network), except trusted proxies; 0 means no maximum."
        ),
        .number(
            "client-requests", \.connections.clientRequests, 0...1_000_000,
            """
            Maximum requests in progress of one client behind trusted proxies, at most a quarter of the setting \
            connections; 0 means no maximum.
            """
        ),
        .number(
            "idle-seconds", \.connections.idleSeconds, 0...86_400,
            "Seconds without a byte before the server closes a connection; 0 means never."),
        .seconds(
            "head-seconds", \.connections.headSeconds, 0...86_400,
            "Maximum seconds from the first byte of a request's header to its last; 0 means no maximum."),
        .number(
            "least-bytes-per-second", \.connections.leastBytesPerSecond, 0...1_000_000_000,
            "Minimum bytes per second of an upload or a download; the server cuts slower ones; 0 means no minimum."),
        .seconds(
            "rate-window-seconds", \.connections.rateWindowSeconds, 1...3600,
            "Seconds over which the server counts least-bytes-per-second."),
        .number(
            "header-bytes", \.connections.headerBytes, 256...1_048_576,
            "Maximum bytes of a request's first line and header together."),
        .number("header-fields", \.connections.headerFields, 1...10_000, "Maximum header fields of one request."),
        .seconds(
            "linger-seconds", \.connections.lingerSeconds, 0...3600,
            "Seconds that a refused upload may continue to send before the server cuts it."),
        .seconds(
            "drain-seconds", \.drainSeconds, 0...3600,
            "Seconds that the server still works after it was asked to stop, while /readyz answers 503."),
        .seconds(
            "stop-grace-seconds", \.connections.stopGraceSeconds, 0...3600,
            "Seconds that transfers in progress get to finish when the server stops."),
    ]
}

/// Limits on calls.
package enum RequestSettings: SettingSection {
    package static let title = "Requests"

    package static let settings: [ServerSetting] = [
        .number("body-bytes", \.requests.requestBodyBytes, 1024...67_108_864, "Largest JSON or form body."),
        .origins(
            "allowed-origins", \.allowedOrigins,
            "Origins of the web pages that may make the calls of devices; * means all, an empty value means none."),
        .number("page-size", \.requests.pageSize, 1...1000, "Maximum models on one page of a list."),
        .number(
            "link-seconds", \.requests.linkSeconds, 1...LinkSigner.longestSeconds,
            "Seconds that a link to a model is valid."),
        .number(
            "update-streams", \.requests.updateStreams.streams, 1...1_000_000,
            "Maximum concurrent Remote Config update streams; at most half of the connections."),
        .number(
            "update-streams-project-percent", \.requests.updateStreams.projectPercent, 1...100,
            "Maximum percent of the update streams for one project; less while other projects need streams."),
        .number(
            "update-streams-key-percent", \.requests.updateStreams.keyPercent, 1...100,
            "Maximum percent of the update streams for one API key; less while other keys need streams."),
        .number(
            "update-streams-address-percent", \.requests.updateStreams.networkPercent, 1...100,
            "Maximum percent of the update streams for one client address (IPv6: /64 network); less while others need streams."
        ),
        .number(
            "waiting-changes", \.requests.waitingChangesPerProject, 1...10_000,
            "Maximum queued changes of one project's templates, conditions and experiments."),
        .number(
            "waiting-reads", \.requests.waitingReadsPerProject, 1...100_000,
            "Maximum queued lists and other long reads of one project; its devices' long fetches have a second queue of this size."
        ),
        .number(
            "key-requests-per-minute", \.requests.rates.key.requestsPerMinute, 0...1_000_000_000,
            "Maximum requests per minute with one API key; 0 means no maximum."),
        .number(
            "key-burst", \.requests.rates.key.burst, 1...1_000_000,
            "Maximum requests with one API key that may come at once."),
        .number(
            "installation-requests-per-minute", \.requests.rates.installation.requestsPerMinute, 0...1_000_000_000,
            "Maximum requests per minute of one installation; 0 means no maximum."),
        .number(
            "installation-burst", \.requests.rates.installation.burst, 1...1_000_000,
            "Maximum requests of one installation that may come at once."),
        .number(
            "address-requests-per-minute", \.requests.rates.address.requestsPerMinute, 0...1_000_000_000,
            """
            Maximum requests per minute of one client address (IPv6: /64 network) without valid credentials, \
            registrations of devices included; 0 means no maximum.
            """
        ),
        .number(
            "address-burst", \.requests.rates.address.burst, 1...1_000_000,
            "Maximum requests of one client address without valid credentials that may come at once, registrations of devices included."
        ),
    ]
}

/// Upload, validation and removal of model files.
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
            "Maximum unfinished resumable uploads of one project."),
        .number(
            "upload-metadata-bytes", \.requests.uploadMetadataBytes, 1024...1_048_576,
            "Largest JSON description of an uploaded file."),
        .number(
            "unused-upload-days", \.requests.unusedUploadDays, 1...36_500,
            "Days before the server removes an uploaded file that no version uses."),
        .number(
            "unreferenced-days", \.unreferencedDays, 1...36_500,
            "Days that a model file without a record stays in the trash."),
        .seconds("probe-seconds", \.probes.wallSeconds, 1...3600, "Maximum seconds for the validation of one file."),
        .number(
            "probe-runs", \.probes.measuredRuns, 0...10_000,
            "Timed runs of a valid model; 0 for none."),
        .seconds(
            "probe-runs-seconds", \.probes.measuredSeconds, 0...3600,
            "Seconds after which no further timed run begins."),
        .seconds(
            "probe-measuring-seconds", \.probes.measuringWallSeconds, 1...3600,
            "Maximum seconds for loading a model and all its timed runs."),
        .number(
            "concurrent-probes", \.probes.concurrentProbes, 1...64,
            """
            Maximum files validated at the same time; with 2 or more, the last free validation is for a project that \
            has no file in validation.
            """
        ),
        .seconds(
            "validation-wait-seconds", \.requests.validationWaitSeconds, 0...300,
            "Seconds that a call waits for a validation before it answers that the validation is still running."),
    ]
}

/// How often the server checks experiments.
package enum ExperimentSettings: SettingSection {
    package static let title = "Experiments and guarded releases"

    package static let settings: [ServerSetting] = [
        .seconds(
            "experiment-check-seconds", \.requests.experimentCheckSeconds, 1...86_400,
            "Seconds between two checks of the running experiments; a check may end one."),
        .seconds(
            "rollout-check-seconds", \.requests.rolloutCheckSeconds, 1...3600,
            "Seconds between two checks of the guarded releases; a check may stop one, or give it to more devices."),
    ]
}

/// What the server logs, and who may read its metrics.
package enum LogSettings: SettingSection {
    package static let title = "Log and metrics"

    package static let settings: [ServerSetting] = [
        .choice("log-format", \.logFormat, "Format of the log's lines."),
        .optional(
            "log-file", \.logFile, "file",
            "File of the log, opened again after SIGHUP; standard error by default."),
        .choice(
            "log-level", \.logLevel, "What the server logs: only failures (error), or also a line per request (info)."),
        .addresses(
            "metrics-allow", \.metricsReaders,
            "Addresses that may read /metrics, in addition to programs on this machine."),
    ]
}
