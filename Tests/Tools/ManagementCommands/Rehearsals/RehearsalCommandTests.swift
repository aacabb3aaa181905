import Foundation
import HearthArguments
import HearthCalls
import HearthCatalog
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct RehearsalCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/photos/rose", withIntermediateDirectories: true)
        for name in ["photos/1.jpg", "photos/notes.txt", "photos/rose/2.png"] {
            #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: Data([1])))
        }
    }

    @Test func aFolderGivesItsImagesAndTheirExpectedAnswers() throws {
        let found = try ImageFiles.found(at: folder.path + "/photos", label: nil)
        #expect(found.map(\.name) == ["1.jpg", "rose/2.png"])
        #expect(found.map(\.label) == [nil, "rose"])
    }

    @Test func aFileThatIsNoImageIsRefused() throws {
        #expect(try ImageFiles.found(at: folder.path + "/photos/1.jpg", label: "daisy").map(\.label) == ["daisy"])
        #expect(throws: (any Error).self) { try ImageFiles.found(at: folder.path + "/photos/notes.txt", label: nil) }
    }

    @Test func drawingsNeedAFolder() throws {
        for target in ["photos", "new"] {
            _ = try RehearseCommand.parse(["flowers", "--draw", folder.path + "/" + target])
        }
        #expect(throws: (any Error).self) {
            try RehearseCommand.parse(["flowers", "--draw", folder.path + "/photos/1.jpg"])
        }
    }

    @Test func aGateIsWeighedForAModelOrForNumbersOfImages() throws {
        for arguments in [
            ["flowers"], ["flowers", "--require", "shown-loss=1%"],
            ["--require", "shown-loss=1%", "--images", "20,500"],
            ["--require", "label-shown-loss=1%", "--images", "20", "--labels", "20"],
        ] {
            _ = try ModelGateCommand.parse(arguments)
        }
        for arguments in [
            [], ["--require", "shown-loss=1%"], ["flowers", "--images", "20"], ["--images", "20"],
            ["flowers", "--labels", "2"], ["flowers", "--require", "shown-loss=-1%"],
            ["--require", "shown-loss=1%", "--images", ""], ["--require", "shown-loss=1%", "--images", "20,501"],
            ["--require", "shown-loss=1%", "--images", "19,20"],
            ["--require", "shown-loss=1%", "--images", "20", "--labels", "21"],
        ] {
            #expect(throws: (any Error).self, "\(arguments)") { try ModelGateCommand.parse(arguments) }
        }
    }

    @Test func whatAGateCannotTellIsATableAndJSON() throws {
        let counts = RehearsalCounts(images: 20, labels: [20])
        let report = GateReport(try RehearsalGate("accuracy=-1%,shown-loss=1%"), counts)
        let lines = GateReport.lines([report], width: nil)
        #expect(lines.contains { $0.hasPrefix("REQUIREMENT") && $0.contains("EQUAL VERSION REFUSED") }, "\(lines)")
        #expect(lines.contains { $0.contains("20% / 27% / 35%") && $0.contains("29% / 31% / 36%") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("Loss found: the smallest loss") })
        // What is said of one number of images only is said for each, and the rest once.
        let gate = try RehearsalGate("label-shown-loss=10%")
        let reports = [20, 40, 500].map { images in
            GateReport(gate, RehearsalCounts(images: images, labels: Array(repeating: images / 20, count: 20)))
        }
        let several = GateReport.lines(reports, width: nil)
        #expect(several.count { $0.hasPrefix("Loss found: ") } == 1)
        #expect(several.count { $0.hasSuffix("this requirement refuses nothing.") } == 2, "\(several)")
        #expect(
            ModelGateCommand.nothingStored("flowers", gate).last
                == "Nothing was stored. `hearth models set flowers --rehearsal-require label-shown-loss=10%` stores it."
        )
        let json = String(decoding: try WireJSON.encode(report.body), as: UTF8.self)
        #expect(json.contains(#""requirement":"shown-loss=1%""#) && json.contains(#""fewestLost":4"#), "\(json)")
        let none = GateReport(try RehearsalGate("shown-loss=1%"), RehearsalCounts(images: 20, labels: []))
        let text = GateReport.lines([none], width: nil).joined(separator: "\n")
        #expect(text.contains("always: no image has an expected answer.") && text.contains("--images 100"), "\(text)")
    }

    @Test func aResultSaysWhatWasLostAndWhatTheRequirementsCannotTell() throws {
        var summary = RehearsalBodies.Summary()
        (summary.images, summary.compared, summary.agreeing, summary.labeled, summary.lost) = (20, 20, 17, 20, 2)
        var baseline = RehearsalBodies.Totals()
        (baseline.correct, summary.candidate.correct) = (18, 17)
        summary.baseline = baseline
        summary.labels = [.init(label: "rose", images: 20, candidateCorrect: 17, baselineCorrect: 18, lost: 2)]
        var result = RehearsalBodies.Rehearsal(
            rehearsal: "r", version: 2, against: 1, state: "done", createTime: "", createdBy: "")
        result.summary = summary
        result.verdict = try RehearsalGate("shown-loss=1%").verdict(on: summary)
        let lines = RehearsalText(result, model: "flowers").lines(width: nil).joined(separator: "\n")
        #expect(lines.contains("It meets shown-loss=1%."), "\(lines)")
        #expect(
            lines.contains("note: shown-loss=1%: 20 images need 4 lost answers (20%) or more"), "\(lines)")
        for (row, number) in [("answers lost", "2"), ("answers gained", "1")] {
            let cells = lines.split(separator: "\n").first { $0.hasPrefix(row) }?.dropFirst(row.count)
            #expect(cells?.filter { $0 != " " } == number, "\(lines)")
        }
    }
}
