import HearthFirebaseImport
import Testing

@testable import HearthMigrationCommands

@Suite("The report of an import") struct ImportReportTextTests {
    private func report(_ wasPublished: Bool?) -> ImportReport {
        var report = ImportReport(isDryRun: false)
        var source = SourceModel(name: "flowers", path: "kept/models/flowers.tflite", sizeBytes: 10)
        source.wasPublished = wasPublished
        source.isHashConfirmed = true
        source.expectedSHA256 = String(repeating: "ab", count: 32)
        var model = ImportedModel(kept: source)
        model.result = .new
        model.canBePublished = true
        report.models = [model]
        report.problems = [
            FetchProblem("faces", "Its file in the folder is missing. Run the import with its source again.")
        ]
        report.describe([source], hasConfiguration: true)
        return report
    }

    private func lines(_ report: ImportReport, width: Int?) -> [Substring] {
        ImportReportText(report, keep: "kept").text(width: width).split(
            separator: "\n", omittingEmptySubsequences: false)
    }

    @Test("Long lines wrap at the terminal's width below their beginning, and the next commands do not")
    func width() throws {
        let narrow = lines(report(true), width: 50)
        let next = try #require(narrow.firstIndex(of: "Next:"))
        #expect(narrow[..<next].allSatisfy { $0.count <= 50 })
        let first = try #require(narrow.firstIndex { $0.hasPrefix("  faces: Its file") })
        #expect(narrow[first + 1].hasPrefix("    ") && narrow[first + 1].contains("source again."))
        #expect(narrow.contains { $0.count > 50 && $0.hasPrefix("  hearth keys api create") })
        #expect(
            lines(report(true), width: nil).contains(
                "  faces: Its file in the folder is missing. Run the import with its source again."))
    }

    @Test("A model is offered for publication only if Firebase published it")
    func publication() {
        #expect(lines(report(true), width: nil).contains("  hearth models publish flowers"))
        let unknown = lines(report(nil), width: nil)
        #expect(!unknown.contains("  hearth models publish flowers"))
        #expect(
            unknown.contains(
                "  hearth models publish NAME: for each model that the Firebase console shows as published"))
        #expect(unknown.contains { $0.contains("Tags, and which models were published") })
    }

    @Test("What was only taken into the folder has its known hash")
    func hash() {
        #expect(lines(report(true), width: nil).contains { $0.hasSuffix(String(repeating: "ab", count: 32)) })
    }
}
