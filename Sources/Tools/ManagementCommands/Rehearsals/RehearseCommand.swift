import Foundation
import HearthAdmin
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthLocalCommands
import HearthWire

struct RehearseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Run a version on the model's own images, and compare it with the released one.",
        discussion: """
            The server runs both versions in its sandbox. --require takes shown-loss=1% (refuses if the images show that more \
            than one percentage point of the expected answers is lost), label-shown-loss=10% (the same for each expected answer \
            alone), agreement=98% (at least this share of the images get the same answer), accuracy=-1% (the share of expected \
            answers falls by at most one percentage point) and label-accuracy=-10%. `hearth models gate` says how often each \
            refuses an equally good version. If the result does not meet them, the exit code is 1. Without --require, the \
            requirements of `hearth models set --rehearsal-require` apply.
            """,
        examples: [
            "hearth models rehearse flowers",
            "hearth models rehearse flowers --version 3 --require agreement=98%,shown-loss=1%",
            "hearth models rehearse flowers --draw changed",
        ])

    @OptionGroup var model: ModelName

    @Option(
        help: ArgumentHelp("Version to rehearse: a number or an alias. Default: the newest.", valueName: "version"))
    var version: VersionArgument?

    @Option(
        help: ArgumentHelp(
            "Version to compare it with: a number or an alias. Default: the one that all devices get, or got last.",
            valueName: "version"))
    var against: VersionArgument?

    @Option(help: ArgumentHelp("What the result must show, such as agreement=98%,shown-loss=1%.", valueName: "gate"))
    var require: String?

    @Option(
        help: ArgumentHelp(
            "Write copies of the changed images into this folder, with what changed.", valueName: "folder"))
    var draw: String?

    @Flag(help: "Run both versions again, although the server has a result for the same versions and images.")
    var again = false

    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func validate() throws {
        _ = try gate()
        var isFolder: ObjCBool = false
        if let draw, FileManager.default.fileExists(atPath: draw, isDirectory: &isFolder), !isFolder.boolValue {
            throw ValidationError("--draw: \(draw) is a file; give a folder.")
        }
    }

    func run() throws {
        let client = try admin.client()
        let name = try model.find(client).resourceName()
        let request = RehearsalBodies.StartRequest(
            version: try version?.number(of: name, client), against: try against?.number(of: name, client),
            again: again ? true : nil)
        let bar = ProgressBar(label: "Rehearsing \(model.name)", unit: .pieces)
        defer { bar.finish() }
        var result = try client.rehearse(
            name, request, progress: { bar.update(completed: UInt64($0), total: UInt64($1)) })
        bar.finish()
        if let gate = try gate(), let summary = result.summary { result.verdict = gate.verdict(on: summary) }
        if let draw { try RehearsalDrawings(folder: draw).write(result, of: name, client) }
        if admin.json {
            try Output.json(result)
        } else {
            for line in RehearsalText(result, model: model.name).lines(width: tables.width) { Output.line(line) }
        }
        guard let verdict = result.verdict, !verdict.passes else { return }
        throw CommandFailure(
            "Version \(result.version) does not meet \(verdict.require): "
                + (verdict.failures ?? []).map(\.printable).joined(separator: "; ") + ".", code: "REHEARSAL_FAILED")
    }

    private func gate() throws -> RehearsalGate? {
        guard let require else { return nil }
        do throws(CatalogError) {
            return try RehearsalGate(require)
        } catch {
            throw ValidationError("--require: \(error.message)")
        }
    }
}

/// Writes drawings of the images whose answers changed.
struct RehearsalDrawings {
    let folder: String

    func write(_ result: RehearsalBodies.Rehearsal, of model: String, _ client: AdminClient) throws {
        let changed = (result.images ?? []).filter { $0.change != nil }
        let bar = ProgressBar(label: "Drawing", unit: .pieces)
        defer { bar.finish() }
        for (index, image) in changed.enumerated() {
            let file = try ImagePlace.file(for: image.name + ".png", in: folder)
            let bytes = try client.imageBytes(image.name, of: model)
            do {
                try Self.drawing(image, result).write(on: bytes, to: file)
            } catch {
                Output.note("note: \(image.name.printable) cannot be drawn: \("\(error)".printable)")
            }
            bar.update(completed: UInt64(index + 1), total: UInt64(changed.count))
        }
    }

    private static func drawing(
        _ image: RehearsalBodies.Comparison, _ result: RehearsalBodies.Rehearsal
    ) -> RehearsalDrawing {
        let (new, old) = (image.candidate.answers ?? [], image.baseline?.answers ?? [])
        guard !(new + old).contains(where: { $0.box != nil }) else {
            let alone = RehearsalComparison.unmatched(old, new)
            return RehearsalDrawing(
                lines: [],
                boxes: alone.lost.compactMap { box($0, isFound: false) }
                    + alone.found.compactMap { box($0, isFound: true) })
        }
        func line(_ version: Int?, _ answers: [RehearsalBodies.Answer]) -> RehearsalDrawing.Line? {
            version.map { number in
                RehearsalDrawing.Line(
                    "v\(number): \(answers.first?.name ?? "-")", confidence: answers.first.map { Float($0.confidence) })
            }
        }
        return RehearsalDrawing(
            lines: [
                image.label.map { RehearsalDrawing.Line("expected: \($0)") }, line(result.version, new),
                line(result.against, old),
            ].compactMap { $0 }, boxes: [])
    }

    private static func box(_ answer: RehearsalBodies.Answer, isFound: Bool) -> RehearsalDrawing.Box? {
        guard let box = answer.box, box.count == 4 else { return nil }
        return RehearsalDrawing.Box(
            frame: CGRect(x: box[0], y: box[1], width: box[2], height: box[3]), text: answer.name,
            confidence: Float(answer.confidence), isFound: isFound)
    }
}
