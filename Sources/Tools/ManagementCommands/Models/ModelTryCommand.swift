import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthModelFile
import HearthWire

struct ModelTryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Run a version on one image, and show what it answers.",
        discussion: """
            The server runs the version in its sandbox, and does not keep the image. The image may have at most 32 MiB and 50 \
            million pixels. --compare-with shows the answers of a second version beside those of the first. To compare versions \
            on many images, use `hearth models rehearse`.
            """,
        examples: [
            "hearth models try flowers photo.jpg",
            "hearth models try flowers photo.jpg --version 3 --compare-with champion",
            "hearth models try flowers photo.jpg --normalize 127.5,127.5",
        ])

    @OptionGroup var model: ModelName

    @Argument(help: "An image file.")
    var image: String

    @Option(help: ArgumentHelp("Version to run: a number or an alias. Default: the newest.", valueName: "version"))
    var version: VersionArgument?

    @Option(help: ArgumentHelp("A second version to run: a number or an alias.", valueName: "version"))
    var compareWith: VersionArgument?

    @Option(help: "Least confidence of an answer, 0 to 1; up to 100 answers. Default: 0.5 for boxes; 20 answers.")
    var threshold: Double?

    @OptionGroup var stated: StatedProcessingOptions
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        if let threshold, !(0...1).contains(threshold) { throw ValidationError("--threshold takes 0 to 1.") }
    }

    func run() throws {
        let bytes = try ImageFiles(path: image, name: image, label: nil).bytes()
        let client = try admin.client()
        let found = try model.find(client)
        let name = try found.resourceName()
        guard let first = try version?.number(of: name, client) ?? found.hearth?.version else {
            throw CommandFailure("'\(model.name)' has no versions.", code: "FAILED_PRECONDITION")
        }
        let versions = [first] + (try compareWith.map { [try $0.number(of: name, client)] } ?? [])
        let processing = try stated.processing.body()
        let results = try versions.map {
            try client.tryVersion($0, on: bytes, of: name, threshold: threshold, processing: processing)
        }
        if admin.json { return try Output.json(TryBodies.Results(results: results)) }
        for line in TryText(results, image: image).lines(width: tables.width) { Output.line(line) }
    }
}

extension ImageProcessing {
    /// As the server reads it; nil if nothing is stated.
    fileprivate func body() throws -> ImageProcessingBody? {
        isEmpty ? nil : try WireJSON.decode(ImageProcessingBody.self, from: json())
    }
}

/// The answers of versions to one image as text, side by side, and how the image went in.
struct TryText {
    private let results: [TryBodies.Answers]
    private let image: String

    /// - Parameter results: at least one.
    init(_ results: [TryBodies.Answers], image: String) {
        self.results = results
        self.image = image
    }

    func lines(width: Int?) -> [String] {
        let size = results.first.map { ", \($0.width) x \($0.height) pixels" } ?? ""
        var table = TextTable(
            [.text("")] + results.map { .text("VERSION \($0.version)", isTruncatable: true) })
        let count = results.map(\.answers.count).max() ?? 0
        for place in 0..<max(1, count) {
            table.append(
                ["\(place + 1)."]
                    + results.map { result in
                        guard place < result.answers.count else {
                            return result.answers.isEmpty && place == 0 ? "no answer" : ""
                        }
                        return Self.text(
                            result.answers[place], ConfidenceCells(result.answers.lazy.map(\.confidence)))
                    })
        }
        table.append(["time of a run"] + results.map { MeasurementsText.time($0.runMicroseconds) })
        table.append(["memory"] + results.map { ByteCount.text(UInt64(max(0, $0.peakMemoryBytes))) })
        return ["\(image.printable)\(size):", "", table.text(width: width)] + visionLines
    }

    /// Once if it is the same for all versions.
    private var visionLines: [String] {
        let known = results.filter { $0.vision?.images != nil }
        let isSame = known.count == results.count && Set(known.map(\.vision)).count == 1
        return known.prefix(isSame ? 1 : .max).flatMap { result in
            (isSame || results.count == 1 ? [] : ["version \(result.version):"])
                + DescriptionText.lines(images: result.vision?.images ?? "", answers: result.vision?.answers ?? [])
        }
    }

    /// `cat 71.9%`, `cat 8.15`, and for a box `at 110, 94, size 802 x 609`.
    private static func text(_ answer: TryBodies.Answer, _ cells: ConfidenceCells) -> String {
        let label = answer.label.isEmpty ? "#\(answer.index)" : answer.label.printable
        let text = "\(label) \(cells.text(answer.confidence))"
        guard let box = answer.box, box.count == 4 else { return text }
        let numbers = box.map { String(format: "%.0f", $0) }
        return "\(text) at \(numbers[0]), \(numbers[1]), size \(numbers[2]) x \(numbers[3])"
    }
}
