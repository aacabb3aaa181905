import Foundation
import HearthArguments
import HearthBackup

/// The data that a command works on: a folder on the server's machine, or a database and a store that servers share.
struct DataPlaceOptions: ParsableArguments {
    @OptionGroup var data: DataOption

    @Option(
        help: ArgumentHelp(
            "PostgreSQL database that servers share, in place of a folder.",
            discussion: "Default: that of HEARTH_DATABASE, unless you give --data.", valueName: "url"))
    var database: String?

    @Option(
        help: ArgumentHelp(
            "S3-compatible store of that database.", discussion: "Default: that of HEARTH_BLOBS.", valueName: "url"))
    var blobs: String?

    var place: DataPlace {
        get throws {
            let environment = ProcessInfo.processInfo.environment
            func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
            if data.given != nil, database != nil {
                throw ValidationError("Give --data or --database, not both.")
            }
            guard let database = database ?? (data.given == nil ? variable("HEARTH_DATABASE") : nil) else {
                return .folder(data.path)
            }
            guard let blobs = blobs ?? variable("HEARTH_BLOBS") else {
                throw ValidationError("A database goes with the store of its model files: also give --blobs.")
            }
            return .shared(try SharedPlace(database: database, blobs: blobs, environment: environment))
        }
    }
}
