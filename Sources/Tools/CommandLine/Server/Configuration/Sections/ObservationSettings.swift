/// What the server tells about itself, and to whom.
enum ObservationSettings: SettingSection {
    static let title = "Log and metrics"

    static let settings: [ServerSetting] = [
        .choice("log-format", \.logFormat, "Form of the log's lines."),
        .optional(
            "log-file", \.logFile, "file",
            "File that the log is written to, opened anew upon SIGHUP; else standard error."),
        .choice("log-level", \.logLevel, "What is logged: only failures, or a line per request too."),
        .addresses(
            "metrics-allow", \.metricsReaders, "Who may read /metrics, beside programs on this machine."),
    ]
}
