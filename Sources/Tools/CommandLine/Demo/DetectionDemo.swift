import Foundation
import HearthArguments
import HearthDelivery
import HearthLocalCommands
import HearthModelSource

/// A detector, from the server to the pages on which it finds digits, and to a picture that shows them.
struct DetectionDemo {
    private static let modelName = "digit-pages"
    /// A small model misses some digits; one that misses more than these is broken, or run wrongly.
    private static let leastShare = 0.8

    let steps: DemoSteps
    let examples: PageExamples
    let model: String
    /// Where to draw what was found on the fullest page.
    let drawing: String

    func run() throws {
        try steps.publish(model, as: Self.modelName)
        let fetched = try steps.fetch(Self.modelName, "Device fetched and verified the detector")
        let detector = try PictureDetector(model: LocalModel(path: fetched.path), name: Self.modelName)
        try detect(with: detector)
        try draw(with: detector)
    }

    private func detect(with detector: PictureDetector) throws {
        var table = TextTable(["PAGE", "DIGITS", .number("RIGHT"), .number("TIME"), ""])
        var (right, all) = (0, 0)
        for page in examples.pages {
            try steps.interruption.check()
            let start = ContinuousClock.now
            let found = try detector.answer(page.path).objects
            let time = ContinuousClock.now - start
            let hits = page.hits(found)
            right += hits
            all += page.digits.count
            let extra = found.count - hits
            table.append([
                URL(fileURLWithPath: page.path).lastPathComponent,
                found.sorted { $0.frame.minX < $1.frame.minX }.map(\.name).joined(separator: " "),
                "\(hits) of \(page.digits.count)", String(format: "%.2f ms", time.milliseconds),
                extra == 0 ? "" : "and \(extra) that \(extra == 1 ? "is" : "are") none",
            ])
        }
        Output.line("\n\(table)\n")
        guard Double(right) >= Self.leastShare * Double(all) else {
            throw CommandFailure("Only \(right) of \(all) digits were found.")
        }
    }

    private func draw(with detector: PictureDetector) throws {
        guard let page = examples.pages.max(by: { $0.digits.count < $1.digits.count }) else { return }
        try detector.draw(page.path, into: drawing)
        Output.line("What was found on \(URL(fileURLWithPath: page.path).lastPathComponent) is drawn in \(drawing)\n")
    }
}
