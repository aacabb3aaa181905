package import HearthArguments

/// How commands find the server that they fetch models from.
package struct DeviceOptions: ParsableArguments {
    @Option(
        name: [.customLong("app-config"), .former("config")],
        help: ArgumentHelp(
            "GoogleService-Info.plist that the server wrote.",
            discussion: """
                Default: what HEARTH_APP_CONFIG names, else hearth-data/credentials/GoogleService-Info.plist.
                """,
            valueName: "file"))
    package var config: String?

    package init() {}
}
