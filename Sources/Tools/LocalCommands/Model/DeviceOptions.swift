package import HearthArguments

/// How commands find the server that they fetch models from.
package struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "GoogleService-Info.plist that the server wrote.",
            discussion: """
                Default: what HEARTH_CONFIG names, else hearth-data/credentials/GoogleService-Info.plist.
                """,
            valueName: "file"))
    package var config: String?

    package init() {}
}
