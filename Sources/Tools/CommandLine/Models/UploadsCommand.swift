import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthWire

struct UploadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uploads",
        abstract: "List the uploads that broke off or are under way, or cancel one.",
        discussion:
            "What has come of them takes room on the server's disk until they are finished, cancelled or expire.",
        examples: [
            "hearth models uploads",
            "hearth models uploads --cancel 5d2f81",
        ])

    @Option(
        help: ArgumentHelp(
            "Cancel this upload, of which the server forgets what it has. The upload must be started again.",
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
            try confirmation.require("Cancel the upload \(cancel)? What has come of it is removed.")
            let upload = try client.cancelUpload(cancel)
            if admin.json { return try Output.json(upload) }
            let file = upload.fileName.printable
            return Output.success("Cancelled the upload of \(file): \(UploadTable.progress(upload)) had come.")
        }
        let uploads = try client.unfinishedUploads()
        if admin.json { return try Output.json(UploadBodies.List(uploads: uploads)) }
        guard !uploads.isEmpty else { return Output.line("No upload is unfinished.") }
        Output.line(UploadTable.text(uploads, project: try client.project(), width: tables.width))
    }
}

/// Unfinished uploads for people to read.
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

    /// `12.0 MiB of 1.0 GiB`, or what has come alone where the uploader did not say how much there is.
    static func progress(_ upload: UploadBodies.Unfinished) -> String {
        let received = size(upload.receivedBytes)
        return upload.totalBytes.map { "\(received) of \(size($0))" } ?? received
    }

    private static func size(_ digits: String) -> String { UInt64(digits).map(ByteCount.text) ?? digits }
}
