/// What the server tells about itself, and to whom.
enum ObservationSettings: SettingSection {
    static let title = "Log and metrics"

    static let settings: [ServerSetting] = [
        .choice("log-format", \.logFormat, "Form of the log's lines."),
        .choice("log-level", \.logLevel, "What is logged: only failures, or a line per request too."),
        .addresses(
            "metrics-allow", \.metricsReaders, "Who may read /metrics, beside programs on this machine."),
    ]
}
