import HearthAPI
import HearthValidation

/// How model files come in, are checked, and go.
enum FileSettings: SettingSection {
    static let title = "Model files"

    static let settings: [ServerSetting] = [
        .number("upload-bytes", \.requests.uploadBytes, 1...1_099_511_627_776, "Largest model file."),
        .number(
            "disk-reserve-mebibytes", \.requests.diskReserveMebibytes, 0...1_073_741_824,
            "MiB of the disk that uploads leave free; 0 to let them fill it."),
        .number(
            "upload-session-days", \.requests.uploadSessionDays, 1...365,
            "Days that an upload in parts may lie unfinished."),
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
