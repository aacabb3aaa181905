import Foundation
package import HearthArguments
import HearthCrypto
import HearthModelFile
package import HearthVision
import HearthWire

package struct PackCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: CommandSummary.pack.name,
        abstract: CommandSummary.pack.abstract,
        discussion: """
            MODEL is a .tflite file, or a bundle: its folder, its manifest or its exported zip. The result is one file, which \
            any TensorFlow Lite runtime still loads as a model. It says how images go in and what the outputs mean, as \
            far as the model says it and the options state it: as TensorFlow Lite metadata with the labels, which MediaPipe and \
            the Task Library read too, and the rest in a file image_processing.json of the appended zip. The model's own bytes \
            do not change: the metadata is in front of them, the zip behind them.
            """,
        examples: [
            "hearth pack flowers-bundle.zip --output flowers.tflite",
            "hearth pack model_unquant.tflite --labels labels.txt --normalize 127.5,127.5",
            "hearth pack best.tflite --layout yolov8 --labels names.txt",
        ])

    @Argument(help: "The model or bundle.")
    var model: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "File to write. Default: the bundle's name with .tflite, or the model's name with -packed.",
            valueName: "file"))
    var output: String?

    @OptionGroup var processing: ProcessingOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Result: Encodable {
        var path: String
        var size: Int
        var sha256: String
        var processing: ImageProcessing?
    }

    package init() {}

    package func run() throws {
        let file = try target()
        let packer = try ModelPacker(path: model, labelsPath: processing.labels, stated: processing.stated)
        let packed = try packer.packed()
        try file.write(packed.bytes)
        for notice in LabelFileNotice.lines(packer.ambiguousLabelFiles, advice: "name one with --labels") {
            Output.note(notice)
        }
        if let notice = packed.notice { Output.note("note: \(notice)") }
        let hash = SHA256Hasher.hash(packed.bytes).hex
        if json {
            return try Output.json(
                Result(
                    path: file.path, size: packed.bytes.count, sha256: hash,
                    processing: packed.description?.processing))
        }
        let text = "\(file.path) (\(ByteCount.text(UInt64(packed.bytes.count))), SHA-256 \(hash))"
        let lines = packed.description.map(DescriptionText.lines) ?? []
        if file.isStream {
            for line in [text] + lines { Output.note(line) }
        } else {
            Output.success(text)
            for line in lines { Output.line(line) }
        }
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
        let url = URL(fileURLWithPath: model).standardizedFileURL
        let stem = url.pathExtension.lowercased() == "json" ? url.deletingLastPathComponent() : url
        let name = stem.deletingPathExtension().lastPathComponent
        return (name.isEmpty ? "model" : name) + (stem.pathExtension == "tflite" ? "-packed" : "") + ".tflite"
    }
}

/// How images go into a model and what comes out, as lines for people.
package enum DescriptionText {
    package static func lines(_ description: ModelDescription) -> [String] {
        lines(images: description.images, answers: description.answers)
    }

    package static func lines(images: String, answers: [String]) -> [String] {
        let heads = answers.enumerated().map {
            ($0.offset == 0 ? "answers:    " : "            ") + $0.element.printable
        }
        return ["images:     \(images.printable)"] + heads
    }
}
