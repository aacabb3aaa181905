import Foundation
import Glibc
package import HearthArguments

/// What MODEL on the command line means: something on this disk, else the name of a hosted model.
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

/// Where models come from that are named on the command line and are not on this disk.
package protocol HostedModelSource: SendableMetatype {
    /// The path of the hosted model on this disk, once it is there. May end the program instead, having handed the whole
    /// command over to one that can fetch.
    ///
    /// - Parameter config: The `GoogleService-Info.plist` that the user named.
    static func path(of model: String, config: String?) throws -> String
}

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

extension CommandFailure {
    /// A model that cannot be used, by the name under which the user knows it.
    static func model(_ path: String, _ name: String, _ error: any Error) -> CommandFailure {
        var reason = (error as NSError).localizedDescription
        var isNamed = false
        // Only where the text quotes a path: a short one may be a word of the text as well.
        for end in ["'", "/"] {
            reason = reason.replacingOccurrences(of: "'\(path)\(end)", with: "'\(name)\(end)")
            isNamed = isNamed || reason.contains("'\(name)\(end)")
        }
        return CommandFailure(isNamed ? reason : "\(name): \(reason)")
    }
}
