import HearthCalls
import HearthWire
import Testing

@testable import HearthManagementCommands

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

    @Test("Each experiment says why, unless the only one decides")
    func experiments() {
        var shown = explanation()
        shown.experiments = [
            .init(
                experiment: "a", share: 0.5, audience: "device.country in ['CH']", isIncluded: false,
                because: "audience"),
            .init(experiment: "b", share: 0.1, audience: nil, isIncluded: false, because: "share"),
            .init(
                experiment: "c", share: 0.1, audience: nil, isIncluded: false, because: "otherExperiment",
                otherExperiment: "a"),
            .init(
                experiment: "d", share: 0.1, audience: nil, isIncluded: false, because: "pinnedVariant",
                otherExperiment: "x"),
            .init(experiment: "e", share: 0.1, audience: nil, isIncluded: false, because: "unpublished"),
        ]
        let text = ExplanationText(shown).text(width: nil)
        for line in [
            "no: it does not meet the condition", "no: it is not in its share",
            "no: it is in the share of the experiment 'a'", "no: a variant of the experiment 'x' is pinned",
            "no: the model is not published",
        ] { #expect(text.contains(line), "\(text)") }
        shown.experiments = [.init(experiment: "a", share: 1, audience: nil, isIncluded: true)]
        #expect(!ExplanationText(shown).text(width: nil).contains("EXPERIMENT"))
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
