/// How experiments are watched.
enum ExperimentSettings: SettingSection {
    static let title = "Experiments"

    static let settings: [ServerSetting] = [
        .seconds(
            "experiment-check-seconds", \.experimentCheckSeconds, 1...86_400,
            "Seconds between two looks at the running experiments, which may end one.")
    ]
}
