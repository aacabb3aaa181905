import Foundation
import Glibc
package import HearthArguments

/// The meaning of MODEL on the command line: a path on this disk, else the name of a model on the server.
struct ModelLookup {
    let hosted: any HostedModelSource.Type
    let config: String?

    /// The path of the model on this disk.
    func path(_ model: String) throws -> String {
        if access(model, F_OK) == 0 { return model }
        let looksLikeFile = model.contains("/") || model.contains(".")
        guard !looksLikeFile else { throw CommandFailure("There is no file or folder \(model).") }
        return try hosted.path(of: model, config: config)
    }
}

/// The source of models that are named on the command line and are not on this disk.
package protocol HostedModelSource: SendableMetatype {
    /// Downloads the model and returns its path. May end the program instead, after it has handed the whole command over to a
    /// program that can download.
    ///
    /// - Parameter config: the `GoogleService-Info.plist` that the user named.
    static func path(of model: String, config: String?) throws -> String
}

/// How commands find the server for their models.
package struct DeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("app-config"),
        help: ArgumentHelp(
            "GoogleService-Info.plist that the server wrote.",
            discussion: """
                Default: the file that HEARTH_APP_CONFIG names, else hearth-data/credentials/GoogleService-Info.plist.
                """,
            valueName: "file"))
    package var config: String?

    package init() {}
}

extension CommandFailure {
    /// The error for an unusable model, with the name that the user knows.
    static func model(_ path: String, _ name: String, _ error: any Error) -> CommandFailure {
        var reason = (error as NSError).localizedDescription
        var isNamed = false
        // Only where the text quotes a path: a short path may also be a word of the text.
        for end in ["'", "/"] {
            reason = reason.replacingOccurrences(of: "'\(path)\(end)", with: "'\(name)\(end)")
            isNamed = isNamed || reason.contains("'\(name)\(end)")
        }
        return CommandFailure(isNamed ? reason : "\(name): \(reason)", cause: error)
    }
}
