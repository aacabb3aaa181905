import Foundation
import HearthHTTP
import HearthIdentity
import HearthRouting
import HearthTestSupport
import HearthValidation
import Testing

@testable import HearthServer

/// Where a setting's value comes from, and which values are refused.
struct SettingsTests {
    private func read(
        flags: [String: String] = [:], environment: [String: String] = [:], file: String? = nil,
        otherVariables: Set<String> = []
    ) throws -> SettingsReader {
        try SettingsReader(
            flags: flags, environment: environment, file: file.map { (path: "hearth.conf", text: $0) },
            otherVariables: otherVariables)
    }

    private func refusal(
        flags: [String: String] = [:], environment: [String: String] = [:], file: String? = nil
    ) -> String? {
        do {
            _ = try read(flags: flags, environment: environment, file: file)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func theStrongestSourceCounts() throws {
        let file = "# a comment\n\nport = 1\npage-size=2\n  link-seconds =\t3  \r\n"
        let reader = try read(
            flags: ["port": "7"], environment: ["HEARTH_PORT": "5", "HEARTH_PAGE_SIZE": "6", "PATH": "/bin"], file: file
        )
        #expect(reader.configuration.port == 7)
        #expect(reader.configuration.requests.pageSize == 6)
        #expect(reader.configuration.requests.linkSeconds == 3)
        #expect(reader.configuration.address == "127.0.0.1")
        #expect(reader.sources["port"] == .flag("port"))
        #expect(reader.sources["page-size"] == .environment("HEARTH_PAGE_SIZE"))
        #expect(reader.sources["link-seconds"] == .file("hearth.conf", line: 5))
        #expect(reader.sources["address"] == nil)
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func linesEndAsOnAnySystem(end: String) throws {
        let lines = ["# a comment", "data = /srv/hearth", "", "port = 1", ""]
        let reader = try read(file: lines.joined(separator: end))
        #expect(reader.configuration.dataFolder == "/srv/hearth")
        #expect(reader.configuration.port == 1)
        #expect(reader.sources["port"] == .file("hearth.conf", line: 4))
    }

    @Test(arguments: [
        "http://x/y?q", "https://x#f", "https://x?", "http://", "http:///y", "https://a b", "models.example",
    ])
    func aPublicURLHasAHostAndNothingBehindItsPath(url: String) {
        #expect(refusal(flags: ["public-url": url])?.hasPrefix("--public-url: '\(url)' is not possible") == true)
        for good in ["https://models.example", "http://127.0.0.1:8080/hearth", "http://[::1]:80/"] {
            #expect(refusal(flags: ["public-url": good]) == nil)
        }
    }

    @Test func anAddressWithAPasswordIsRefusedAndNotShown() throws {
        let url = "postgresql://hearth:secret-word@db.example/hearth"
        let refused = try #require(refusal(flags: ["database": url, "blobs": "s3://models"]))
        #expect(refused.hasPrefix("--database: the address has a password"))
        #expect(!refused.contains("secret-word"))
    }

    @Test func aMistakeInTheAddressOfAStoreIsNamed() throws {
        let refused = try #require(refusal(flags: ["blobs": "s3://models?acl=1"]))
        #expect(refused.contains("acl"), "\(refused)")
    }

    @Test func mistakesNameTheirPlaceAndWhatIsPossible() {
        #expect(
            refusal(flags: ["port": "65536"])
                == "--port: '65536' is not possible; give a whole number from 0 to 65535.")
        #expect(
            refusal(environment: ["HEARTH_IDLE_SECONDS": "1m"])
                == "HEARTH_IDLE_SECONDS in the environment: '1m' is not possible; give a whole number from 0 to 86400.")
        #expect(
            refusal(file: "port = 1\nlog-format = xml")
                == "hearth.conf, line 2, log-format: 'xml' is not possible; give one of text, json.")
        #expect(
            refusal(file: "prot = 1")
                == "hearth.conf, line 1: there is no setting 'prot'; `hearth serve --help` lists the settings.")
        #expect(refusal(file: "port 1") == "hearth.conf, line 1: 'port 1' is not of the form 'name = value'.")
        #expect(refusal(file: "port=1\n\nport=1") == "hearth.conf, line 3: 'port' is already set in line 1.")
        #expect(refusal(environment: ["HEARTH_PROT": "1"])?.hasPrefix("HEARTH_PROT in the environment is no") == true)
    }

    @Test func variablesOfOtherCommandsAreNoMistake() throws {
        #expect(refusal(environment: ["HEARTH_STORE": "x"]) != nil)
        _ = try read(environment: ["HEARTH_STORE": "x"], otherVariables: ["HEARTH_STORE", "HEARTH_TOKEN"])
    }

    /// It names the project that other commands work in, which need not be the server's first.
    @Test func aProjectInTheEnvironmentIsAWishOnly() throws {
        let reader = try read(environment: ["HEARTH_PROJECT": "second-one"])
        #expect(reader.configuration.projectID == "second-one" && !reader.configuration.insistsOnProject)
        #expect(try read(flags: ["project": "first-one"]).configuration.insistsOnProject)
        #expect(try read(file: "project = first-one").configuration.insistsOnProject)
    }

    @Test(arguments: [
        ("tls-certificate", "a", "go together"), ("tls-key", "a", "go together"),
        ("connections", "1", "must not be below --threads 2"), ("country-header", "CF-IPCountry", "--trusted-proxies"),
        ("address", "192.0.2.1", "--insecure-http"),
    ])
    func valuesThatDoNotGoTogether(name: String, value: String, message: String) {
        #expect(refusal(flags: ["threads": "2", name: value])?.contains(message) == true)
    }

    @Test func anEmptyValueTakesAnOptionalOneAway() throws {
        let reader = try read(flags: ["public-url": ""], file: "public-url = https://models.example")
        #expect(reader.configuration.publicURL == nil)
        #expect(refusal(flags: ["data": ""]) != nil)
    }

    @Test func aValueIsOneLine() {
        #expect(refusal(environment: ["HEARTH_DATA": "a\nport = 1"]) != nil)
    }

    @Test func whatIsPrintedCanBeReadBack() throws {
        let first = try read(
            flags: ["trusted-proxies": "10.0.0.0/8, ::1", "insecure-http": "true", "linger-seconds": "0.5"],
            environment: ["HEARTH_DATA": "/srv/a # b = c", "HEARTH_PUBLIC_URL": "https://models.example"],
            file: "threads = 3")
        let listing = SettingsListing(reader: first).text
        for source in ["--insecure-http", "HEARTH_DATA in the environment", "hearth.conf, line 1", "default"] {
            #expect(listing.contains("From: \(source)."))
        }
        let second = try read(file: listing)
        for setting in ServerSettings.all {
            #expect(setting.text(second.configuration) == setting.text(first.configuration), "\(setting.name)")
            #expect(second.sources[setting.name] != nil)
        }
    }
}

/// The rows of the table themselves.
struct ServerSettingTests {
    @Test func namesAreUniqueAndReadable() {
        let names = ServerSettings.all.map(\.name)
        #expect(Set(names).count == names.count)
        for setting in ServerSettings.all {
            #expect(setting.name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(setting.name)")
            #expect(setting.summary.hasSuffix("."), "\(setting.name)")
        }
    }

    /// A default is a value that one could give.
    @Test func defaultsArePossible() {
        for setting in ServerSettings.all {
            var configuration = ServerConfiguration()
            #expect(setting.read(setting.text(configuration), &configuration), "\(setting.name)")
        }
    }

    /// Each number is accepted at both ends of its range, refused beyond them, and arrives where it counts.
    @Test(arguments: [
        ("port", 0, 65535), ("threads", 1, 1024), ("connections", 1, 1_000_000),
        ("connections-per-address", 0, 1_000_000), ("idle-seconds", 0, 86_400), ("header-bytes", 256, 1_048_576),
        ("header-fields", 1, 10_000), ("linger-seconds", 0, 3600), ("stop-grace-seconds", 0, 3600),
        ("drain-seconds", 0, 3600), ("blob-cache-mebibytes", 64, 1_073_741_824), ("database-writers", 1, 100),
        ("database-readers", 1, 1000), ("stale-serving-hours", 0, 8760),
        ("body-bytes", 1024, 67_108_864), ("page-size", 1, 1000), ("link-seconds", 1, 604_800),
        ("key-requests-per-minute", 0, 1_000_000_000), ("installation-requests-per-minute", 0, 1_000_000_000),
        ("address-requests-per-minute", 0, 1_000_000_000), ("key-burst", 1, 1_000_000),
        ("installation-burst", 1, 1_000_000), ("address-burst", 1, 1_000_000), ("upload-bytes", 1, 1_099_511_627_776),
        ("disk-reserve-mebibytes", 0, 1_073_741_824),
        ("upload-session-days", 1, 365), ("upload-sessions-per-project", 1, 100_000),
        ("upload-metadata-bytes", 1024, 1_048_576), ("probe-runs", 0, 10_000), ("probe-runs-seconds", 0, 3600),
        ("probe-measuring-seconds", 1, 3600), ("unused-upload-days", 1, 36_500), ("unreferenced-days", 1, 36_500),
        ("probe-seconds", 1, 3600),
        ("concurrent-probes", 1, 64), ("validation-wait-seconds", 0, 300),
        ("experiment-check-seconds", 1, 86_400), ("rollout-check-seconds", 1, 3600), ("update-streams", 1, 1_000_000),
        ("head-seconds", 0, 86_400), ("least-bytes-per-second", 0, 1_000_000_000), ("rate-window-seconds", 1, 3600),
        ("client-requests", 0, 1_000_000),
        ("update-streams-project-percent", 1, 100), ("update-streams-key-percent", 1, 100),
        ("update-streams-address-percent", 1, 100),
        ("waiting-changes", 1, 10_000), ("waiting-reads", 1, 100_000),
        ("console-session-hours", 1, 8760), ("console-idle-minutes", 1, 525_600),
    ])
    func rangesHaveTwoEnds(name: String, lowest: Int, highest: Int) throws {
        let setting = try #require(ServerSettings.all.first { $0.name == name })
        var configuration = ServerConfiguration()
        for value in [lowest, highest] {
            #expect(setting.read("\(value)", &configuration))
            #expect(setting.text(configuration) == "\(value)")
        }
        for text in ["\(lowest - 1)", "\(highest + 1)", "", " ", "x", "1e2x", "99999999999999999999", "nan"] {
            #expect(!setting.read(text, &configuration), "\(text)")
        }
    }

    @Test func everyNumberIsTested() {
        let numbers = ServerSettings.all.filter { $0.valueName == "number" || $0.valueName == "seconds" }
        #expect(numbers.count == 50, "a new one belongs into the list above")
    }

    @Test func valuesArriveWhereTheyCount() throws {
        let flags = [
            "threads": "3", "connections": "4", "connections-per-address": "5", "idle-seconds": "6",
            "header-bytes": "700", "header-fields": "8", "linger-seconds": "9", "stop-grace-seconds": "10",
            "body-bytes": "1100", "page-size": "12", "link-seconds": "13", "upload-bytes": "14", "probe-seconds": "15",
            "concurrent-probes": "16", "key-requests-per-minute": "17", "installation-requests-per-minute": "18",
            "address-requests-per-minute": "19", "upload-session-days": "20", "unused-upload-days": "21",
            "validation-wait-seconds": "22", "key-burst": "23", "installation-burst": "24", "address-burst": "25",
            "upload-sessions-per-project": "26", "upload-metadata-bytes": "2700", "probe-runs": "28",
            "probe-runs-seconds": "29", "probe-measuring-seconds": "30", "drain-seconds": "31",
            "experiment-check-seconds": "32", "rollout-check-seconds": "40", "update-streams": "33",
            "unreferenced-days": "34", "head-seconds": "34",
            "least-bytes-per-second": "35", "rate-window-seconds": "36", "client-requests": "37",
            "update-streams-project-percent": "34", "update-streams-key-percent": "35",
            "update-streams-address-percent": "36", "waiting-changes": "38", "waiting-reads": "39",
        ]
        let configuration = try SettingsReader(flags: flags, environment: [:], file: nil).configuration
        var limits = ServerLimits()
        limits.threads = 3
        limits.connections = 4
        limits.connectionsPerAddress = 5
        limits.idleSeconds = 6
        limits.headerBytes = 700
        limits.headerFields = 8
        limits.lingerSeconds = 9
        limits.stopGraceSeconds = 10
        limits.headSeconds = 34
        limits.leastBytesPerSecond = 35
        limits.rateWindowSeconds = 36
        limits.clientRequests = 37
        #expect(configuration.connections == limits)
        var requests = ServiceLimits()
        requests.requestBodyBytes = 1100
        requests.pageSize = 12
        requests.linkSeconds = 13
        requests.uploadBytes = 14
        requests.rates.key = .init(requestsPerMinute: 17, burst: 23)
        requests.rates.installation = .init(requestsPerMinute: 18, burst: 24)
        requests.rates.address = .init(requestsPerMinute: 19, burst: 25)
        requests.uploadSessionDays = 20
        requests.uploadSessionsPerProject = 26
        requests.uploadMetadataBytes = 2700
        requests.unusedUploadDays = 21
        requests.validationWaitSeconds = 22
        requests.updateStreams.streams = 33
        requests.updateStreams.projectPercent = 34
        requests.updateStreams.keyPercent = 35
        requests.updateStreams.networkPercent = 36
        requests.waitingChangesPerProject = 38
        requests.waitingReadsPerProject = 39
        requests.experimentCheckSeconds = 32
        requests.rolloutCheckSeconds = 40
        #expect(configuration.requests == requests)
        #expect(configuration.probes.wallSeconds == 15)
        #expect(configuration.probes.concurrentProbes == 16)
        #expect(configuration.probes.measuredRuns == 28)
        #expect(configuration.probes.measuredSeconds == 29)
        #expect(configuration.probes.measuringWallSeconds == 30)
        #expect(configuration.unreferencedDays == 34)
        #expect(configuration.drainSeconds == 31)
        #expect(configuration.requests.experimentCheckSeconds == 32)
        #expect(configuration.requests.rolloutCheckSeconds == 40)
    }
}

/// The guides to operating a server say what the program does.
struct GuideTests {
    private func guide(_ name: String) throws -> String {
        try String(contentsOf: TestPaths.package.appendingPathComponent("docs/guides/\(name)"), encoding: .utf8)
    }

    @Test func theTableOfSettingsIsTheProgramsOwn() throws {
        let parts = try guide("server-settings.md").components(separatedBy: "<!-- settings: begin -->\n")
        let table = try #require(parts.last?.components(separatedBy: "<!-- settings: end -->").first)
        #expect(
            table.trimmingCharacters(in: .newlines) == SettingsMarkdownTable.text,
            "put this between the two marks:\n\(SettingsMarkdownTable.text)\n")
    }

    /// The settings in the examples exist and take these values.
    @Test func theExamplesAreAccepted() throws {
        let lines = try guide("server-network.md").components(separatedBy: "```ini\n").dropFirst()
            .flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
            .filter { line in line.contains(" = ") }
        #expect(lines.count == 4)
        let reader = try SettingsReader(
            flags: [:], environment: [:], file: (path: "guide", text: lines.joined(separator: "\n")))
        #expect(reader.configuration.accelRedirectPrefix == "/hearth-blobs/")
    }
}

/// The configuration as a table in Markdown, as the guide to the settings has it.
enum SettingsMarkdownTable {
    static var text: String {
        let head = ["| Setting | Default | Takes | |", "|---|---|---|---|"]
        let rows = ServerSettings.sections.flatMap { section in
            ["| **\(section.title)** | | | |"] + section.settings.map(row)
        }
        return (head + rows).joined(separator: "\n")
    }

    private static func row(_ setting: ServerSetting) -> String {
        let initial = setting.defaultText.isEmpty ? "" : "`\(setting.defaultText)`"
        let initialText = setting.defaultSummary ?? initial
        return "| `\(setting.name)` | \(initialText) | \(setting.expectation) | \(setting.summary) |"
    }
}
