import HearthAPI
import HearthIdentity

/// What one call may ask for, and how often.
enum RequestSettings: SettingSection {
    static let title = "Requests"

    static let settings: [ServerSetting] = [
        .number("body-bytes", \.requests.requestBodyBytes, 1024...67_108_864, "Largest JSON or form body."),
        .number("page-size", \.requests.pageSize, 1...1000, "Most models on one page of a list."),
        .number("link-seconds", \.requests.linkSeconds, 1...604_800, "Seconds that a link to a model is good for."),
        .number(
            "key-requests-per-minute", \.rates.key.requestsPerMinute, 0...1_000_000_000,
            "Requests with one API key; 0 means any number."),
        .number("key-burst", \.rates.key.burst, 1...1_000_000, "Of these, how many may come at once after a rest."),
        .number(
            "installation-requests-per-minute", \.rates.installation.requestsPerMinute, 0...1_000_000_000,
            "Requests of one installation; 0 means any number."),
        .number(
            "installation-burst", \.rates.installation.burst, 1...1_000_000,
            "Of these, how many may come at once after a rest."),
        .number(
            "address-requests-per-minute", \.rates.address.requestsPerMinute, 0...1_000_000_000,
            "Requests of one client address that prove no identity; 0 means any number."),
        .number(
            "address-burst", \.rates.address.burst, 1...1_000_000, "Of these, how many may come at once after a rest."),
    ]
}
