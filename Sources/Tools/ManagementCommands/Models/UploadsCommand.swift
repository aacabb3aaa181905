import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

struct UploadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uploads",
        abstract: "List the unfinished uploads, or cancel one.",
        discussion:
            "Their received bytes stay on the server's disk until the uploads are finished, cancelled or expire.",
        examples: [
            "hearth models uploads",
            "hearth models uploads --cancel 5d2f81",
        ])

    @Option(
        help: ArgumentHelp(
            "Cancel this upload. The server deletes its received bytes, and the upload must start again.",
            valueName: "id"))
    var cancel: String?

    @OptionGroup var tables: TableOption
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let cancel, cancel.isEmpty { throw ValidationError("--cancel takes the id that the list shows.") }
    }

    func run() throws {
        let client = try admin.client()
        if let cancel {
            try confirmation.require("Cancel the upload \(cancel)? The server deletes its received bytes.")
            let upload = try client.cancelUpload(cancel)
            if admin.json { return try Output.json(upload) }
            let file = upload.fileName.printable
            return Output.success(
                "Cancelled the upload of \(file): the server had received \(UploadTable.progress(upload)).")
        }
        let uploads = try client.unfinishedUploads()
        if admin.json { return try Output.json(UploadBodies.List(uploads: uploads)) }
        guard !uploads.isEmpty else { return Output.line("There are no unfinished uploads.") }
        Output.line(UploadTable.text(uploads, project: try client.project(), width: tables.width))
    }
}

/// Unfinished uploads as a table.
enum UploadTable {
    static func text(_ uploads: [UploadBodies.Unfinished], project: String? = nil, width: Int? = nil) -> String {
        var table = TextTable([
            "ID", .text("FILE", isTruncatable: true), .number("RECEIVED"), .text("LAST BYTES (UTC)", dropOrder: 3),
            .text("EXPIRES (UTC)", dropOrder: 1), .text("BY", dropOrder: 2, isTruncatable: true),
        ])
        for upload in uploads {
            table.append([
                upload.upload, upload.fileName, progress(upload), TimeArgument.short(upload.updateTime),
                TimeArgument.short(upload.expireTime), ServiceAccountName.short(upload.createdBy, project: project),
            ])
        }
        return table.text(width: width)
    }

    /// `12.0 MiB of 1.0 GiB`, or only the received bytes if the total is unknown.
    static func progress(_ upload: UploadBodies.Unfinished) -> String {
        let received = size(upload.receivedBytes)
        return upload.totalBytes.map { "\(received) of \(size($0))" } ?? received
    }

    private static func size(_ digits: String) -> String { UInt64(digits).map(ByteCount.text) ?? digits }
}
