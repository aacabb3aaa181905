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
        let gate = try RehearsalGate("agreement=90%,label-shown-loss=10%")
        let nothing =
            "label-shown-loss=10%: these 100 images cannot show such a loss: this requirement refuses nothing."
        let labels = Array(repeating: 5, count: 20)
        #expect(GateTable(gate, on: RehearsalCounts(images: 100, labels: labels)).explanation.last == nothing)
        #expect(
            gate.notes(on: RehearsalCounts(images: 100, labels: labels)).last
                == "label-shown-loss=10%: these images cannot show such a loss: this requirement refuses nothing")
        // One answer with more images can be refused.
        let mixed = GateTable(gate, on: RehearsalCounts(images: 120, labels: [25] + labels.dropFirst()))
        #expect(mixed.explanation.allSatisfy { !$0.contains("refuses nothing") }, "\(mixed.explanation)")
        #expect(
            gate.notes(on: RehearsalCounts(images: 120, labels: [25] + labels.dropFirst())).last
                == "label-shown-loss=10%: 5 images, the fewest of an expected answer, cannot show such a loss")
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
        let table = GateTable(gate, on: RehearsalCounts(images: 30, labels: []))
        #expect(table.rows.map { $0[2] == "always" } == [false, true, true, true])
        #expect(table.explanation.contains { $0.hasPrefix("always: no image has an expected answer.") })
        // Numbers that no model has, from a result of elsewhere, say nothing.
        let notes = [(Int.max, [1]), (20, [Int.max, Int.max]), (-5, [-1])].map { images, labels in
            gate.notes(on: RehearsalCounts(images: images, labels: labels)).map { $0.prefix(9) }
        }
        #expect(notes == [[], ["agreement"], []])
    }

    @Test("With too few images for a rehearsal, every version is refused, and the table says why")
    func few() throws {
        let gate = try RehearsalGate("agreement=50%,accuracy=-50%,shown-loss=1%")
        let few = GateTable(gate, on: RehearsalCounts(images: 19, labels: [19]))
        #expect(few.rows.map { $0[2] } == ["always", "always", "always"])
        #expect(
            few.explanation.contains {
                $0.hasPrefix("always: a rehearsal needs at least 20 images, and there are 19. hearth models gate")
            }, "\(few.explanation)")
        let enough = GateTable(gate, on: RehearsalCounts(images: 20, labels: [19]))
        #expect(enough.rows.allSatisfy { $0[2] != "always" })
        #expect(enough.explanation.allSatisfy { !$0.hasPrefix("always") })
    }

    @Test("Chances are written with few digits, and a rare one does not look like never")
    func text() {
        let texts = [
            (0, "0%"), (0.0004, "below 0.1%"), (0.0005, "0.1%"), (0.0123, "1.2%"), (0.05, "5%"), (0.0996, "10%"),
            (0.1347, "13%"), (0.1351, "14%"), (0.245, "25%"), (0.9847, "98%"), (0.9904, "99%"), (0.9946, "99.5%"),
            (0.998, "99.8%"), (0.9996, "above 99.9%"), (1, "100%"),
        ]
        for (share, text) in texts { #expect(GateErrors.text(share) == text) }
    }

    @Test("The table in the guide has these numbers")
    func guide() throws {
        let file = TestPaths.package.appendingPathComponent("docs/guides/rehearsals.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let commands = text.split(separator: "\n").filter { $0.hasPrefix("hearth models gate --require ") }
        #expect(commands.count == 3)
        var lines: [String] = []
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            let labels = try words.firstIndex(of: "--labels").map { try #require(Int(words[$0 + 1])) } ?? 1
            let gate = try RehearsalGate(words[4])
            for number in words[6].split(separator: ",") {
                let images = try #require(Int(number))
                let counts = RehearsalCounts(
                    images: images, labels: Array(repeating: images / labels, count: labels))
                lines += GateTable(gate, on: counts).rows.map { row in
                    "| `\(row[0])` | \(row.dropFirst().joined(separator: " | ")) |"
                }
            }
        }
        let table = text.components(separatedBy: "| \(GateTable.columns.joined(separator: " | ")) |\n").last ?? ""
        let found = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix {
            $0.hasPrefix("| ")
        }
        #expect(found.map(String.init) == lines, "\n\(lines.joined(separator: "\n"))\n")
    }
}
