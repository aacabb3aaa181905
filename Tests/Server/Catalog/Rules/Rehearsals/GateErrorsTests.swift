import Foundation
import HearthTestSupport
import Testing

@testable import HearthCatalog

/// The expected numbers are those of a separate program, which sums over all numbers of lost and gained answers.
@Suite("Rehearsals: how often a gate errs") struct GateErrorsTests {
    private func errors(_ text: String, images: Int, labels: Int = 1) throws -> GateErrors {
        let gate = try RehearsalGate(text)
        let counts = RehearsalCounts(images: images, labels: Array(repeating: images / labels, count: labels))
        return try #require(gate.errors(on: counts).first?.errors)
    }

    private func expect(_ values: [Double], _ expected: [Double]) {
        #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 1e-6 } && values.count == expected.count, "\(values)")
    }

    @Test(
        "A limit of the accuracy refuses many versions that are as good as the one before",
        arguments: [
            (20, [0.202941, 0.271042, 0.349648]), (50, [0.317985, 0.366347, 0.409009]),
            (100, [0.182351, 0.245011, 0.315449]), (200, [0.148937, 0.211594, 0.286904]),
        ])
    func accuracy(images: Int, refused: [Double]) throws {
        expect(try errors("accuracy=-1%", images: images).equalRefused, refused)
    }

    /// Where one in five of the answers that differ is wrong in both versions, as often in images that are hard.
    @Test(
        "With fewer answers that are right in one version only, it refuses less often",
        arguments: [
            (20, [0.33, 0.24, 0.17]), (50, [0.4, 0.35, 0.29]), (100, [0.29, 0.22, 0.16]), (200, [0.27, 0.19, 0.12]),
        ])
    func wrongInBoth(images: Int, refused: [Double]) throws {
        let counts = RehearsalCounts(images: images, labels: [images])
        let rule = try #require(RefusalRule(RehearsalRequirement(.accuracy, -100), counts))
        for (share, refused) in zip([0.1, 0.05, 0.03], refused) {
            #expect(abs(rule.equalRefused(share: share * 0.8) - refused) < 0.011)
        }
    }

    @Test("So does a limit for each expected answer, and a least agreement")
    func others() throws {
        expect(
            try errors("label-accuracy=-10%", images: 100, labels: 20).equalRefused, [0.758497, 0.897723, 0.983866])
        expect(
            try errors("label-accuracy=-10%", images: 500, labels: 20).equalRefused, [0.085346, 0.254487, 0.668409])
        expect(try errors("agreement=98%", images: 20).equalRefused, [0.456206, 0.641514, 0.878423])
        expect(try errors("agreement=98%", images: 100).equalRefused, [0.580225, 0.881737, 0.998055])
    }

    @Test(
        "A shown loss is required: equal versions are hardly refused, and the smallest loss that is found is named",
        arguments: [
            (20, "0%", 4, [0.000158, 0.00091, 0.006884], [0.289, 0.309, 0.357]),
            (50, "0%", 3, [0.019174, 0.039089, 0.047688], [0.132, 0.15, 0.177]),
            (50, "1%", 4, [0.003336, 0.011134, 0.02436], [0.149, 0.163, 0.194]),
            (100, "1%", 5, [0.004422, 0.012253, 0.02061], [0.093, 0.105, 0.127]),
            (200, "1%", 6, [0.006244, 0.010965, 0.016566], [0.061, 0.069, 0.086]),
        ])
    func shownLoss(images: Int, limit: String, least: Int, refused: [Double], found: [Double]) throws {
        let errors = try errors("shown-loss=\(limit)", images: images)
        #expect(errors.leastLost == least)
        expect(errors.equalRefused, refused)
        #expect(errors.foundLoss == found)
    }

    @Test("Twenty answers with five images each cannot show a loss of one of them, and refuse no equal version")
    func labels() throws {
        let few = try errors("label-shown-loss=10%", images: 100, labels: 20)
        #expect(few.images == 5 && few.leastLost == nil && few.foundLoss == [nil, nil, nil])
        #expect(few.equalRefused == [0, 0, 0])
        let more = try errors("label-shown-loss=10%", images: 500, labels: 20)
        #expect(more.leastLost == 11)
        #expect(more.foundLoss == [0.556, 0.59, 0.663])
    }

    @Test("All expected answers together refuse an equal version no more often than one requirement may")
    func together() throws {
        let counts = RehearsalCounts(images: 300, labels: [10, 40, 50, 50, 150])
        let gate = try RehearsalGate("label-shown-loss=0%")
        let errors = try #require(gate.errors(on: counts).first?.errors)
        #expect(errors.images == 10)
        #expect(errors.equalRefused.allSatisfy { (0.0001...0.05).contains($0) }, "\(errors.equalRefused)")
    }

    @Test("Without an expected answer, a requirement about them has no errors to name")
    func unlabeled() throws {
        let gate = try RehearsalGate("agreement=98%,accuracy=-1%,shown-loss=1%,label-shown-loss=1%")
        let found = gate.errors(on: RehearsalCounts(images: 30, labels: []))
        #expect(found.map { $0.errors != nil } == [true, false, false, false])
        #expect(gate.errors(on: RehearsalCounts(images: 0, labels: [])).allSatisfy { $0.errors == nil })
        let rows = GateTable.rows(gate, on: RehearsalCounts(images: 30, labels: []))
        #expect(rows.map { $0[2] == "always" } == [false, true, true, true])
        // Numbers that no model has, from a result of elsewhere, say nothing.
        for (images, labels) in [(Int.max, [1]), (20, [Int.max, Int.max]), (-5, [-1])] {
            #expect(
                gate.notes(on: RehearsalCounts(images: images, labels: labels)).allSatisfy { $0.contains("agreement") })
        }
    }

    @Test("Chances are written with few digits, and a rare one does not look like never")
    func text() {
        let texts = [0, 0.0004, 0.0005, 0.0123, 0.05, 0.0996, 0.245, 0.9996, 1].map(GateErrors.text)
        #expect(texts == ["0%", "below 0.1%", "0.1%", "1.2%", "5%", "10%", "25%", "100%", "100%"])
    }

    @Test("The table in the guide has these numbers")
    func guide() throws {
        let file = TestPaths.package.appendingPathComponent("docs/guides/rehearsals.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("hearth models gate --require ") }
        #expect(commands.count == 3)
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let labels = try words.firstIndex(of: "--labels").map { try #require(Int(words[$0 + 1])) } ?? 1
            let gate = try RehearsalGate(words[4])
            for number in words[6].split(separator: ",") {
                let images = try #require(Int(number))
                let counts = RehearsalCounts(
                    images: images, labels: Array(repeating: images / labels, count: labels))
                for row in GateTable.rows(gate, on: counts) {
                    let line = "| `\(row[0])` | \(row.dropFirst().joined(separator: " | ")) |"
                    #expect(text.contains(line + "\n"), "\(line)")
                }
            }
        }
    }
}
