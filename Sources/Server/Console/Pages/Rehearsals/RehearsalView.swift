import HearthCalls
import HearthWire

/// The result of a rehearsal: the totals, the answers by label, and the images that changed.
struct RehearsalView {
    private let item: RehearsalBodies.Rehearsal
    private let summary: RehearsalBodies.Summary
    private let request: PageRequest
    private let model: PageModel
    private let confidences: ConfidenceText

    private static let pageSize = 60

    init(
        _ item: RehearsalBodies.Rehearsal, _ summary: RehearsalBodies.Summary, _ request: PageRequest,
        _ model: PageModel
    ) {
        self.item = item
        self.summary = summary
        self.request = request
        self.model = model
        let totals = [summary.candidate, summary.baseline].compactMap { $0?.meanConfidence }
        let answers = (item.images ?? []).flatMap { [$0.candidate, $0.baseline] }.compactMap { $0?.answers }.joined()
        confidences = ConfidenceText(totals + answers.map(\.confidence))
    }

    @MarkupBuilder
    var markup: Markup {
        totals
        labels
        changed
    }

    private var columns: [String] {
        ["What", "Version \(item.version)"] + (item.against.map { ["Version \($0)"] } ?? [])
    }

    private var totals: Markup {
        let (new, old) = (summary.candidate, summary.baseline)
        func row(_ name: String, _ text: (RehearsalBodies.Totals) -> String) -> [Markup] {
            [.text(name), .text(text(new))] + (item.against == nil ? [] : [.text(old.map(text) ?? "–")])
        }
        var rows = [
            row("Failed images") { NumberText.count($0.failed) },
            row("Mean confidence") { $0.meanConfidence.map(confidences.text) ?? "–" },
            row("Time of a run, median") { $0.medianMicroseconds.map { NumberText.milliseconds($0) } ?? "–" },
            row("Memory") { $0.peakMemoryBytes.map { NumberText.bytes(Int64($0)) } ?? "–" },
        ]
        if summary.labeled > 0 {
            rows.insert(
                row("Expected answer, of \(summary.labeled)") {
                    "\($0.correct) (\(NumberText.percent(Double($0.correct) / Double(summary.labeled))))"
                }, at: 0)
        }
        return section {
            h2 { "On \(NumberText.count(summary.images, "image"))" }
            if summary.compared > 0 {
                p {
                    """
                    The same answer on \(summary.agreeing) of \(NumberText.count(summary.compared, "image")) \
                    (\(NumberText.percent(Double(summary.agreeing) / Double(summary.compared)))).
                    """
                }
            }
            if let old, let lost = summary.lost, summary.labeled > 0 {
                p { "\(lost) expected answers lost, \(new.correct - old.correct + lost) gained." }
            }
            if let lost = summary.boxesLost, let found = summary.boxesFound, old != nil {
                p { "\(lost) boxes lost, \(found) boxes found." }
            }
            DataTable("Totals of the rehearsal", columns).rows(rows) { $0 }
        }
    }

    @MarkupBuilder
    private var labels: Markup {
        let rows = (summary.labels ?? []).filter { $0.baselineCorrect.map { $0 } != $0.candidateCorrect }
        if !rows.isEmpty {
            section {
                h2 { "Expected answers that changed" }
                DataTable(
                    "Correct answers by label",
                    ["Expected", "Images", "Version \(item.version)"] + (item.against.map { ["Version \($0)"] } ?? [])
                )
                .rows(rows) { row in
                    [.text(row.label), .text("\(row.images)"), .text("\(row.candidateCorrect)")]
                        + (item.against == nil ? [] : [.text(row.baselineCorrect.map(String.init) ?? "–")])
                }
            }
        }
    }

    private var changed: Markup {
        let shown = (item.images ?? []).filter { $0.change != nil || $0.candidate.failure != nil }
        let part = ListPart(of: shown, size: Self.pageSize, request.fields)
        return section {
            h2 { "Images that changed (\(shown.count))" }
            if shown.isEmpty { p { "No image has another answer." } }
            ul(.class("images cards")) {
                part.items.map { compared in
                    li {
                        image(
                            request.site.link(
                                "api", "hearth", "v1", "projects", request.project, "models", model.id, "images",
                                compared.name),
                            Attribute("loading", "lazy"), text: "The image \(compared.name)")
                        p {
                            strong { compared.name }; compared.label.map { ", expected \($0)" } ?? ""
                        }
                        answer("Version \(item.version)", compared.candidate)
                        if let against = item.against, let other = compared.baseline {
                            answer("Version \(against)", other)
                        }
                        if let lost = compared.boxesLost, let found = compared.boxesFound {
                            p(.class("faint")) { "\(lost) boxes lost, \(found) found" }
                        }
                    }
                }
            }
            if let next = part.next {
                p {
                    a(model.link("rehearsals", item.rehearsal).with([("from", "\(next)")])) {
                        "More images"
                    }
                }
            }
        }
    }

    private func answer(_ version: String, _ answers: RehearsalBodies.Answers) -> Markup {
        p {
            "\(version): "
            if let failure = answers.failure {
                Badge.mark("failed", .bad)
                " \(failure)"
            } else {
                answers.answers?.first.map {
                    "\($0.text.nonEmpty ?? "#\($0.index)") \(confidences.text($0.confidence))"
                }
                    ?? "nothing"
            }
        }
    }
}
