import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCrypto
import HearthLocalCommands
import HearthWire

struct ModelImagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "images",
        abstract: "Add, list, delete and download the images on which a model's versions are rehearsed.",
        examples: [
            "hearth models images add flowers photos",
            "hearth models images list flowers",
        ],
        subcommands: [
            ImagesAddCommand.self, ImagesListCommand.self, ImagesDeleteCommand.self, ImagesDownloadCommand.self,
        ])
}

struct ImagesAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add images to a model's set, or replace those of the same name.",
        discussion: """
            A folder in PATH may have one folder for each expected answer: photos/daisy/1.jpg gets the name daisy/1.jpg and the \
            expected answer daisy. Images directly in PATH have no expected answer. Images that the server has already are not \
            sent again. The server keeps at most 500 images of a model, with 8 MiB each and 256 MiB in all.
            """,
        examples: [
            "hearth models images add flowers photos",
            "hearth models images add flowers blurred.jpg --label daisy",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "Image files and folders.")
    var paths: [String]

    @Option(help: ArgumentHelp("The expected answer for all of these images.", valueName: "answer"))
    var label: String?

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let files = try paths.flatMap { try ImageFiles.found(at: $0, label: label) }
        guard !files.isEmpty else { throw CommandFailure("There is no image in \(paths.joined(separator: ", ")).") }
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let known = Dictionary(try client.images(of: name).map { ($0.name, $0) }) { first, _ in first }
        let bar = ProgressBar(label: "Adding images", unit: .pieces)
        defer { bar.finish() }
        var sent: [RehearsalBodies.Image] = []
        for (index, file) in files.enumerated() {
            let bytes = try file.bytes()
            let image = known[file.name]
            if image?.sha256 != SHA256Hasher.hash(bytes).hex || image?.label != file.label {
                sent.append(try client.putImage(file.name, label: file.label, bytes: bytes, of: name))
            }
            bar.update(completed: UInt64(index + 1), total: UInt64(files.count))
        }
        bar.finish()
        if admin.json { return try Output.json(RehearsalBodies.ImageList(images: sent)) }
        let total = Set(known.keys).union(files.map(\.name)).count
        Output.success(
            "Added \(sent.count) of \(files.count) images to '\(model.name)', which has \(total) now"
                + (sent.count < files.count ? "; the server had the others already." : "."))
        let unlabeled = files.count { $0.label == nil }
        if unlabeled > 0 {
            Output.note(
                "note: \(unlabeled) of these images have no expected answer. Put them into folders with the names of the answers and "
                    + "add the folder above, or give --label.")
        }
    }
}

struct ImagesListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List a model's images.", examples: ["hearth models images list flowers"])

    @OptionGroup var model: ModelName
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let images = try client.images(of: model.find(client).resourceName())
        if admin.json { return try Output.json(RehearsalBodies.ImageList(images: images)) }
        guard !images.isEmpty else { return Output.line("'\(model.name)' has no images.") }
        var table = TextTable([
            .text("NAME", isTruncatable: true), .text("EXPECTED", isTruncatable: true), .number("SIZE"),
            .text("ADDED (UTC)", dropOrder: 1), .text("BY", dropOrder: 2, isTruncatable: true),
        ])
        let project = try client.project()
        for image in images {
            table.append([
                image.name.printable, image.label?.printable ?? "-",
                UInt64(image.sizeBytes).map(ByteCount.text) ?? image.sizeBytes, TimeArgument.short(image.createTime),
                ServiceAccountName.short(image.createdBy, project: project),
            ])
        }
        Output.line(table.text(width: tables.width))
    }
}

struct ImagesDeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete images of a model.",
        examples: [
            "hearth models images delete flowers daisy/1.jpg",
            "hearth models images delete flowers --all",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "Names of images, as the list shows them.")
    var names: [String] = []

    @Flag(help: "Delete all images of the model.")
    var all = false

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        guard all != !names.isEmpty else { throw ValidationError("Give names of images, or --all.") }
    }

    func run() throws {
        let client = try admin.client()
        let resource = try model.find(client).resourceName()
        let doomed = all ? try client.images(of: resource).map(\.name) : names
        let images = doomed.count == 1 ? "1 image" : "\(doomed.count) images"
        try confirmation.require("Delete \(images) of '\(model.name)'?")
        for name in doomed { try client.deleteImage(name, of: resource) }
        if admin.json { return try Output.json(["deleted": doomed]) }
        Output.success("Deleted \(images) of '\(model.name)'.")
    }
}

struct ImagesDownloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Download a model's images into a folder.",
        discussion: "The folder gets the same form that `images add` takes. Existing files stay.",
        examples: ["hearth models images download flowers photos"])

    @OptionGroup var model: ModelName

    @Argument(help: "The folder, which is made if it does not exist.")
    var folder: String

    @OptionGroup var admin: AdminOptions

    func run() throws {
        let client = try admin.client()
        let resource = try model.find(client).resourceName()
        let images = try client.images(of: resource)
        let bar = ProgressBar(label: "Downloading images", unit: .pieces)
        defer { bar.finish() }
        for (index, image) in images.enumerated() {
            let file = try ImagePlace.file(for: image.name, in: folder)
            guard !FileManager.default.fileExists(atPath: file) else {
                throw CommandFailure("\(file) exists already; give another folder.")
            }
            try OutputFile(file).write(client.imageBytes(image.name, of: resource))
            bar.update(completed: UInt64(index + 1), total: UInt64(images.count))
        }
        bar.finish()
        if admin.json { return try Output.json(RehearsalBodies.ImageList(images: images)) }
        Output.success("Downloaded \(images.count) images of '\(model.name)' to \(folder).")
    }
}

/// Where the copy of an image goes.
enum ImagePlace {
    /// The file below the folder, whose own folder is made. The name comes from the server, so it must not lead out of
    /// the folder.
    static func file(for name: String, in folder: String) throws -> String {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard !name.utf8.contains(0), parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw CommandFailure("The server names an image '\(name.printable)', which cannot be the name of a file.")
        }
        let file = folder + "/" + name
        let place = URL(fileURLWithPath: file).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("Cannot make the folder \(place): \(error.localizedDescription)", cause: error)
        }
        return file
    }
}
