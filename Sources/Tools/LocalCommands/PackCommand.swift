import Foundation
package import HearthArguments
import HearthModelFile

package struct PackCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: CommandSummary.pack.name,
        abstract: CommandSummary.pack.abstract,
        discussion: """
            BUNDLE is the bundle's folder, its manifest or its exported zip. The result is the model with the bundle's \
            other files appended as a zip. Hearth opens it like the folder, and any TensorFlow Lite runtime still loads it as a \
            model.
            """,
        examples: [
            "hearth pack flowers-bundle",
            "hearth pack flowers-bundle.zip --output flowers.tflite",
        ])

    @Argument(help: "The bundle.")
    var bundle: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("File to write. Default: the bundle's name with .tflite.", valueName: "file"))
    var output: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Result: Encodable {
        var path: String
        var size: Int
    }

    package init() {}

    package func run() throws {
        let file = try target()
        let opened = try ModelBundle(path: bundle)
        let packed = try opened.packed()
        try file.write(packed)
        for notice in LabelFileNotice.lines(opened.ambiguousLabelFiles) { Output.note(notice) }
        if json { return try Output.json(Result(path: file.path, size: packed.count)) }
        let text = "\(file.path) (\(ByteCount.text(UInt64(packed.count))))"
        file.isStream ? Output.note(text) : Output.success(text)
    }

    /// Replaces only a file that the user named.
    private func target() throws -> OutputFile {
        if let output { return try OutputFile(output) }
        let path = defaultOutput
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("\(path) exists already. Name the file to write with -o.")
        }
        return try OutputFile(path)
    }

    private var defaultOutput: String {
        let url = URL(fileURLWithPath: bundle).standardizedFileURL
        let stem = url.pathExtension.lowercased() == "json" ? url.deletingLastPathComponent() : url
        let name = stem.deletingPathExtension().lastPathComponent
        return (name.isEmpty ? "model" : name) + (stem.pathExtension == "tflite" ? "-packed" : "") + ".tflite"
    }
}
