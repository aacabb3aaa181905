import HearthCalls
import HearthWire

/// The shares of a release: those of its schedule or plan, and the present one.
struct StageLine {
    private let release: ReleaseBodies.Release

    init(_ release: ReleaseBodies.Release) { self.release = release }

    /// A share on the way.
    private struct Step {
        var share: Double
        var text: String
        var isReached: Bool
    }

    private var steps: [Step] {
        if let plan = release.guarding?.plan, !plan.isEmpty {
            var steps = plan.map { share in
                Step(share: share, text: "by its plan", isReached: share <= release.share)
            }
            if !plan.contains(release.share) {
                steps.append(Step(share: release.share, text: present, isReached: true))
            }
            return steps.sorted { $0.share < $1.share }
        }
        if let stages = release.stages, !stages.isEmpty {
            return stages.map { stage in
                Step(
                    share: stage.share, text: "from \(stage.time.prefix(10)) \(stage.time.dropFirst(11).prefix(5)) UTC",
                    isReached: stage.share <= release.share)
            }
        }
        return [Step(share: release.share, text: present, isReached: true)]
    }

    private var isGoing: Bool { release.state != "ended" }
    private var present: String { isGoing ? "now" : "at the end" }

    private static let (width, height) = (480.0, 56.0)

    var markup: Markup {
        .joined {
            chart
            DataTable("The shares of the release", ["Share", "When", "Reached"]).rows(steps) { step in
                [
                    .text(SharePercent.text(step.share)), .text(step.text),
                    step.share == release.share
                        ? Badge.mark(present, isGoing ? .good : .neutral) : .text(step.isReached ? "yes" : "not yet"),
                ]
            }
            progress
        }
    }

    /// When the plan goes on, which no clock alone decides.
    @MarkupBuilder
    private var progress: Markup {
        if isGoing, let guarding = release.guarding, (guarding.plan?.last ?? 0) > release.share {
            p(.class("faint")) {
                """
                The next share of the plan comes when every guard that is on has ruled out harm, and \
                \(GuardView.time(guarding.holdSeconds)) after the present one at the earliest. Guards that wait for \
                reports do not hold it back.
                """
            }
        }
    }

    private var chart: Markup {
        let steps = steps
        return SVG.chart(
            width: Self.width, height: Self.height, fits: true, title: "Share of the devices",
            description: "\(isGoing ? "Now" : "At the end") \(SharePercent.text(release.share)). "
                + steps.map { "\(SharePercent.text($0.share)) \($0.text)" }.joined(separator: ", ")
        ) {
            SVG.rect(x: 0, y: 12, width: Self.width, height: 14, .class("axis"))
            SVG.rect(
                x: 0, y: 12, width: max(2, release.share * Self.width), height: 14,
                .class(release.state == "active" ? "fill-1" : "fill-5"))
            steps.map { step in
                let x = min(max(step.share * Self.width, 1), Self.width - 1)
                return Markup.joined {
                    SVG.line(x1: x, y1: 6, x2: x, y2: 32, .class(step.isReached ? "series-1 line" : "series-5 line"))
                    SVG.text(
                        x: x, y: 48, SharePercent.text(step.share),
                        Attribute("text-anchor", step.share > 0.9 ? "end" : step.share < 0.1 ? "start" : "middle"))
                }
            }
        }
    }
}
