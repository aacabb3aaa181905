import HearthWire
import Testing

@testable import HearthCommandLine

@Suite("An explanation as text") struct ExplanationTextTests {
    private func explanation(version: Int? = 2, _ reason: String = "release") -> ReleaseBodies.Explanation {
        var facts = ReleaseBodies.Explanation.Facts()
        facts.os = "ios"
        return ReleaseBodies.Explanation(
            model: "flowers", installation: "device:5a1e90c41d77", isRegistered: true, version: version, reason: reason,
            isPinned: false, facts: facts)
    }

    private func step(
        _ number: Int, share: Double = 1, because: String?, at place: Double? = nil
    ) -> ReleaseBodies.Explanation.Step {
        ReleaseBodies.Explanation.Step(
            release: number, version: number, state: "active", share: share, audience: nil, isIncluded: because == nil,
            because: because, number: place)
    }

    @Test("Each release says why")
    func releases() {
        var shown = explanation()
        shown.releases = [
            step(4, because: "country"), step(3, share: 0.1, because: "share", at: 0.4231),
            step(2, share: 0.5, because: nil, at: 0.0123),
        ]
        shown.facts.lastCallTime = "2026-11-27T06:40:00Z"
        shown.facts.given = ["os"]
        let text = ExplanationText(shown).text(width: nil)
        #expect(text.hasPrefix("device:5a1e90c41d77 gets version 2 of 'flowers': release 2 includes it.\n\n"))
        for line in [
            "no: its country is unknown", "no: its number 42.3100% is not below 10%",
            "yes: its number 1.2300% is below 50%",
            "Facts of its last call at 2026-11-27 06:40 UTC; from the options: os: os ios, app version unknown, language "
                + "unknown, country unknown, no tags.",
        ] { #expect(text.contains(line), "\(text)") }
    }

    @Test("Pins, experiments, and nothing")
    func reasons() {
        var pinned = explanation("pin")
        pinned.pin = PinBodies.Pin(
            installation: nil, tag: "qa", version: nil, variant: "new", createTime: "", createdBy: "")
        (pinned.experiment, pinned.variant, pinned.isPinned) = ("colours", "new", true)
        #expect(
            ExplanationText(pinned).sentence
                == "device:5a1e90c41d77 gets version 2 of 'flowers': its tag qa is pinned to variant new of the experiment 'colours'."
        )
        #expect(ExplanationText(pinned).text(width: nil).contains("experiments do not count it"))
        var drawn = explanation("experiment")
        (drawn.experiment, drawn.variant) = ("colours", "old")
        #expect(ExplanationText(drawn).sentence.hasSuffix("variant 'old' of the experiment 'colours'."))
        let nothing = ExplanationText(explanation(version: nil, "nothing"))
        #expect(nothing.sentence == "device:5a1e90c41d77 gets no version of 'flowers': no release includes it.")
        #expect(nothing.text(width: nil).contains("The server remembers no call"))
    }
}
