import Foundation
import HearthArguments

/// Which data folder a command of the server's machine means.
struct DataOption: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: ArgumentHelp(
            "Data folder of the server.", discussion: "Default: what HEARTH_DATA names, else hearth-data.",
            valueName: "folder"))
    var given: String?

    var path: String { given ?? ProcessInfo.processInfo.environment["HEARTH_DATA"] ?? "hearth-data" }
}
