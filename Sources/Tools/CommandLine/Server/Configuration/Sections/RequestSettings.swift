import HearthAPI
import HearthIdentity

/// What one call may ask for, and how often.
enum RequestSettings: SettingSection {
    static let title = "Requests"

    static let settings: [ServerSetting] = [
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
            "Devices that may wait at once for news of their configuration; half of the connections at most."),
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
            "Changes of one project's templates, conditions and experiments that may wait for their turn."),
        .number(
            "waiting-reads", \.requests.waitingReadsPerProject, 1...100_000,
            "Lists and other long reads of one project that may wait for their turn; also long fetches of its devices."),
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
