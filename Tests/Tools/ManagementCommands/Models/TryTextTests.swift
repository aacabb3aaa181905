import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

@Suite struct TryTextTests {
    private func answers(_ version: Int, _ answers: [TryBodies.Answer]) -> TryBodies.Answers {
        TryBodies.Answers(
            version: version, width: 1280, height: 720, answers: answers, runMicroseconds: 24_373,
            peakMemoryBytes: 66 << 20)
    }

    @Test func answersAreSideBySideInTheirOrder() {
        let text = TryText(
            [
                answers(
                    3,
                    [
                        .init(label: "cat", index: 16, confidence: 0.71875, box: [110.5, 94.1, 802.4, 609]),
                        .init(label: "", index: 4, confidence: 0.5, box: [0, 0, 1, 2]),
                    ]), answers(2, []),
            ], image: "cat.jpg"
        ).lines(width: nil).joined(separator: "\n")
        #expect(
            text == """
                cat.jpg, 1280 x 720 pixels:

                               VERSION 3                             VERSION 2
                1.             cat 71.9% at 110, 94, size 802 x 609  no answer
                2.             #4 50.0% at 0, 0, size 1 x 2
                time of a run  24.37 ms                              24.37 ms
                memory         66.0 MiB                              66.0 MiB
                """, "\(text)")
    }

    @Test func scoresThatAreNoSharesAreNumbers() {
        let lines = TryText(
            [
                answers(
                    1,
                    [.init(label: "cat", index: 1, confidence: 8.15), .init(label: "dog", index: 2, confidence: 0.5)]),
                answers(2, [.init(label: "cat", index: 1, confidence: 0.5)]),
            ], image: "cat.jpg"
        ).lines(width: nil)[2]
        #expect(lines.contains("cat 8.15") && lines.contains("dog 0.50") && lines.contains("cat 50.0%"), "\(lines)")
    }

    @Test func howTheImageWentInIsSaidOnceForVersionsThatAgree() {
        var (one, two) = (answers(1, []), answers(2, []))
        func vision(_ images: String) -> ModelContract.Vision {
            .init(task: "labels", processing: .init(), images: images, answers: ["3 labels"], isGuess: false)
        }
        func lines() -> [String] { Array(TryText([one, two], image: "x").lines(width: nil).dropFirst(3)) }
        one.vision = vision("RGB, byte / 255")
        two.vision = one.vision
        #expect(lines() == ["images:     RGB, byte / 255", "answers:    3 labels"])
        two.vision = vision("gray\u{1B}[0m")
        #expect(lines().count == 6 && lines().contains("version 2:") && !lines().joined().contains("\u{1B}"))
        two.vision = nil
        #expect(lines().count == 3)
    }

    /// They come from a server.
    @Test func hostileLabelsStayOnTheirLine() {
        let hostile = answers(1, [.init(label: "a\n\u{1B}[31m", index: -1, confidence: .infinity, box: [1])])
        let lines = TryText([hostile], image: "x").lines(width: 80)
        #expect(!lines.joined().contains("\u{1B}") && lines.count == 3)
        #expect(lines[2].split(separator: "\n").count == 4)
    }
}

@Suite struct ComparisonTextTests {
    private func side(_ version: Int, hash: String, bytes: Int) -> VersionComparison.Side {
        .init(
            ReleaseBodies.Version(
                version: version, modelHash: hash, sizeBytes: "\(bytes)", source: "", createTime: "", createdBy: "",
                verdict: "ok", message: nil, contract: nil,
                figures: version == 1
                    ? nil
                    : ModelMeasurements(
                        runs: 20, medianMicroseconds: 940, p90Microseconds: 1234, peakMemoryBytes: 45 << 20,
                        loadMicroseconds: 2_500_000, engine: "LiteRT 2.3.0")))
    }

    private func text(
        fits: Bool, hashes: (String, String) = ("a", "b"), _ differences: [VersionComparison.Difference] = []
    ) -> String {
        ComparisonText(
            VersionComparison(
                version: side(2, hash: hashes.1, bytes: 3000), with: side(1, hash: hashes.0, bytes: 2000),
                fitsApps: fits, differences: differences, omittedDifferences: differences.isEmpty ? nil : 7)
        ).lines(width: nil).joined(separator: "\n")
    }

    @Test func whatAppsNoticeIsApartFromTheRest() {
        let text = text(
            fits: false,
            [
                .init(
                    place: "input", name: "type of input 0", before: "a", after: "b",
                    text: "type of input 0 is b, was a", affectsApps: true),
                .init(
                    place: "operators", name: "operator", before: nil, after: "ADD", text: "operator 'ADD' is new",
                    affectsApps: false),
            ])
        for part in [
            "What an app may notice:\n- type of input 0 is b, was a\n", "Other differences:\n- operator 'ADD' is new\n",
            "- and 7 more differences\n", "Version 2 may not fit apps written for version 1.", "x 1.50", "940 us",
        ] { #expect(text.contains(part), "\(text)") }
    }

    @Test func aVersionThatFitsAndTheSameFileAreSaid() {
        #expect(text(fits: true).hasSuffix("\n\nVersion 2 fits apps written for version 1."))
        #expect(text(fits: true, hashes: ("a", "a")).hasSuffix("Versions 1 and 2 are the same file."))
    }
}
