import Foundation
import HearthArguments
import HearthDelivery
import HearthLocalCommands
import HearthManagementCommands
import HearthModelSource

/// The demo of a labeler and its second version, from the server to the images.
struct LabelingDemo {
    private static let modelName = "digits"

    let steps: DemoSteps
    let examples: DigitExamples
    let firstModel: String
    let secondModel: String

    func run() throws {
        try steps.publish(firstModel, as: Self.modelName)
        let first = try steps.download(Self.modelName, "Device downloaded and verified version 1")
        try label(with: first.path)

        let again = try steps.download(Self.modelName, "Device asked again: no newer version")
        guard again == first else { throw CommandFailure("The device downloaded the same version twice.") }

        try steps.publish(secondModel, as: Self.modelName)
        let second = try steps.download(Self.modelName, "Device downloaded and verified version 2")
        guard second.hash != first.hash else { throw CommandFailure("The device did not get the second version.") }
        try label(with: second.path)
    }

    private func label(with path: String) throws {
        let labeler = try FileLabeler(model: LocalModel(path: path), name: Self.modelName)
        var table = TextTable(["IMAGE", "LABEL", .number("CONFIDENCE"), .number("TIME"), ""])
        var wrong = 0
        for example in examples.examples {
            try steps.interruption.check()
            let start = ContinuousClock.now
            let best = try labeler.best(of: example.path)
            let time = ContinuousClock.now - start
            let isRight = best?.text == example.digit
            if !isRight { wrong += 1 }
            table.append([
                URL(fileURLWithPath: example.path).lastPathComponent, best?.text ?? "-",
                String(format: "%.1f %%", Double(best?.confidence ?? 0) * 100),
                String(format: "%.2f ms", time.milliseconds), isRight ? "right" : "wrong: it is \(example.digit)",
            ])
        }
        Output.line("\n\(table)\n")
        guard wrong == 0 else {
            throw CommandFailure("\(wrong) of \(examples.examples.count) images got a wrong label.")
        }
    }
}

/// Images of one digit each, with the digit.
struct DigitExamples {
    struct Example {
        var path: String
        var digit: String
    }

    let examples: [Example]

    /// Reads `labels.csv`: a header, then `file,label` lines.
    init(folder: String) throws {
        examples = try ExampleTable.rows(folder + "/labels.csv", columns: 2).map { fields in
            Example(path: folder + "/" + fields[0], digit: fields[1])
        }
        guard !examples.isEmpty else { throw CommandFailure("There are no example images in \(folder).") }
    }
}

/// The tables of example images: a header, then lines of fields with commas between them.
enum ExampleTable {
    /// The lines below the header with the right number of fields.
    static func rows(_ path: String, columns: Int) throws -> [[String]] {
        try TextFile.read(path).split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            return fields.count == columns ? fields : nil
        }
    }
}
