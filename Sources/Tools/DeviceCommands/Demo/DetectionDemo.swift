import Foundation
import HearthArguments
import HearthDelivery
import HearthLocalCommands
import HearthModelSource

/// The demo of a detector: from the server, to the pages on which it finds digits, to an image that shows them.
struct DetectionDemo {
    private static let modelName = "digit-pages"
    /// The small model misses some digits. If it misses more, something is broken.
    private static let leastShare = 0.8

    let steps: DemoSteps
    let examples: PageExamples
    let model: String
    /// The file for the drawing of the fullest page.
    let drawing: String

    func run() throws {
        try steps.publish(model, as: Self.modelName)
        let fetched = try steps.download(Self.modelName, "Device downloaded and verified the detector")
        let detector = try FileDetector(model: LocalModel(path: fetched.path), name: Self.modelName)
        try detect(with: detector)
        try draw(with: detector)
    }

    private func detect(with detector: FileDetector) throws {
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
                extra == 0 ? "" : "and \(extra) that \(extra == 1 ? "is" : "are") not there",
            ])
        }
        Output.line("\n\(table)\n")
        guard Double(right) >= Self.leastShare * Double(all) else {
            throw CommandFailure("Only \(right) of \(all) digits were found.")
        }
    }

    private func draw(with detector: FileDetector) throws {
        guard let page = examples.pages.max(by: { $0.digits.count < $1.digits.count }) else { return }
        try detector.draw(page.path, into: drawing)
        Output.line("The drawing of \(URL(fileURLWithPath: page.path).lastPathComponent) is in \(drawing)\n")
    }
}

/// Pages with several digits each, and the places of the digits.
struct PageExamples {
    struct Digit {
        var name: String
        /// In pixels of the page.
        var frame: CGRect
    }

    struct Page {
        var path: String
        var digits: [Digit]
    }

    let pages: [Page]

    /// Reads `boxes.csv`: a header, then a line `file,digit,left,top,right,bottom` for each digit, page by page.
    init(folder: String) throws {
        var pages: [Page] = []
        for fields in try ExampleTable.rows(folder + "/boxes.csv", columns: 6) {
            let sides = fields[2...].compactMap(Double.init)
            guard sides.count == 4 else { continue }
            let frame = CGRect(x: sides[0], y: sides[1], width: sides[2] - sides[0], height: sides[3] - sides[1])
            let path = folder + "/" + fields[0]
            if pages.last?.path != path { pages.append(Page(path: path, digits: [])) }
            pages[pages.count - 1].digits.append(Digit(name: fields[1], frame: frame))
        }
        guard !pages.isEmpty else { throw CommandFailure("There are no example pages in \(folder).") }
        self.pages = pages
    }
}

extension PageExamples.Page {
    /// How many of the page's digits are among `found`: the same digit, with frames that overlap by at least half.
    func hits(_ found: [DetectionResult.Object]) -> Int {
        var left = found
        return digits.count { digit in
            let match = left.firstIndex { $0.text == digit.name && Self.overlap($0.frame, digit.frame) >= 0.5 }
            if let match { left.remove(at: match) }
            return match != nil
        }
    }

    /// Intersection over union, 0 to 1.
    private static func overlap(_ one: CGRect, _ other: CGRect) -> CGFloat {
        let common = one.intersection(other)
        guard !common.isEmpty else { return 0 }
        let shared = common.width * common.height
        return shared / (one.width * one.height + other.width * other.height - shared)
    }
}
