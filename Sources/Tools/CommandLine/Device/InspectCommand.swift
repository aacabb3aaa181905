import Foundation
import Glibc
import HearthArguments
import HearthModelFile
import HearthValidation
import HearthWire

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show what a model takes and gives, and whether it is sound.",
        discussion: "The model is looked at by a caged child process, as the server does it.")

    @Argument(help: "A .tflite file, or an AutoML bundle (folder, manifest or zip).")
    var model: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let payload = try PushPayload(model)
        let descriptor = open(payload.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure("Cannot open \(model): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var report = try ModelValidator().report(descriptor: descriptor)
        if report.verdict != .malformed {
            report.contract?.labelCount = try ModelBundle(path: model).labels?.count
        }
        if json {
            try Output.json(report)
        } else if let contract = report.contract {
            for line in ContractText.lines(contract) { Output.line(line) }
        }
        switch report.verdict {
        case .ok: break
        case .unsupported: Output.note("warning: \(report.message ?? "this engine cannot run the model")")
        case .malformed: throw CommandFailure("\(model): \(report.message ?? "not a usable model")")
        }
    }
}
