import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// What people should know about the project now.
enum HomePages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}", show)]

    private static func show(_ request: PageRequest) throws -> Page {
        let overview = try request.api.call(ProjectCalls.overview)
        return Page(request.project, .home, commands: ["hearth status"], isLive: true) {
            if overview.counts.models == 0 {
                beginning(request)
            } else {
                div(.id("overview"), Attribute("data-live", if: true)) {
                    numbers(overview.counts, request)
                    rollouts(overview, request)
                    stopped(overview.stopped, request)
                    experiments(overview.experiments, request)
                    failed(overview.failedVersions, request)
                    pending(overview.pending, request)
                }
            }
        }
    }

    /// For an empty project.
    private static func beginning(_ request: PageRequest) -> Markup {
        section(.class("empty")) {
            h2 { "Begin with a model" }
            if request.may(.publisher) {
                p { a(request.link("models", "new"), .class("button primary")) { "Upload a model" } }
            }
            p { "Or on the command line, in the folder in which the server was started:" }
            ol {
                command("hearth models push flowers flowers.tflite --publish", "sends a model and gives it to devices")
                command("hearth pull flowers", "downloads it, as a device does")
                command("hearth label flowers photo.jpg", "runs it on an image")
            }
        }
    }

    private static func command(_ text: String, _ purpose: String) -> Markup {
        li {
            purpose
            div(.class("copied")) {
                pre { code { text } }
                button(
                    .type("button"), .class("copy"), Attribute("data-copy", text),
                    .label("Copy the command that \(purpose)")
                ) { "Copy" }
            }
        }
    }

    private static func numbers(_ counts: OverviewBodies.Counts, _ request: PageRequest) -> Markup {
        ul(.class("cards numbers")) {
            number(
                counts.models, NumberText.noun(counts.models, "model"),
                "\(NumberText.count(counts.publishedModels)) published", request.link("models")
            )
            number(
                counts.rollouts, "rolling out", "not at all devices yet", request.link("").with(fragment: "rollouts"))
            number(
                counts.runningExperiments, NumberText.noun(counts.runningExperiments, "running experiment"),
                counts.runningExperiments == 1 ? "see what it found" : "see what they found",
                request.link("experiments"))
            li {
                strong { NumberText.count(counts.installations) }
                " \(NumberText.noun(counts.installations, "installation")) of your apps"
            }
        }
    }

    private static func number(_ count: Int, _ what: String, _ more: String, _ link: Link) -> Markup {
        li {
            strong { NumberText.count(count) }
            " "
            a(link) { what }
            div(.class("faint")) { more }
        }
    }

    private static func rollouts(_ overview: OverviewBodies.Overview, _ request: PageRequest) -> Markup {
        section(.id("rollouts")) {
            h2 { "Rolling out" }
            if overview.rollouts.isEmpty {
                p(.class("faint")) { "Every release reaches all devices of its audience." }
            } else {
                DataTable(
                    "Releases that do not reach all devices yet",
                    ["Release", "Version", "Share", "Next", "State", "Guards", "Began"]
                )
                .rows(overview.rollouts) { item in
                    [
                        a(request.link("models", item.model, "releases", "\(item.release)")) {
                            "\(item.displayName), release \(item.release)"
                        },
                        .text("\(item.version)"),
                        .text(SharePercent.text(item.share) + (item.hasAudience ? " of some devices" : "")),
                        .text(
                            item.nextShare.map {
                                SharePercent.text($0)
                                    + (item.nextTime.map { " at \($0.prefix(16).replacing("T", with: " ")) UTC" }
                                        ?? " by its plan")
                            } ?? "–"),
                        item.state == "paused" ? Badge.mark("paused", .warning) : Badge.mark("rolling out", .neutral),
                        .joined {
                            if let state = item.guardState { GuardView.badge(state); " " }
                            if let text = item.guardText { guards(text) }
                        },
                        Times.moment(item.createTime),
                    ]
                }
                let more = overview.counts.rollouts - overview.rollouts.count
                if more > 0 {
                    p(.class("faint")) {
                        "\(NumberText.count(more, "older one")) \(more == 1 ? "is" : "are") not shown."
                    }
                }
            }
        }
    }

    /// What all guards have seen is too long for a table.
    private static func guards(_ text: String) -> Markup {
        guard text.utf8.count > 120 else { return small { text } }
        return details {
            summary { "What they see" }
            small { text }
        }
    }

    @MarkupBuilder
    private static func stopped(_ releases: [OverviewBodies.StoppedRelease], _ request: PageRequest) -> Markup {
        if !releases.isEmpty {
            section {
                h2 { "Stopped in the last 7 days" }
                DataTable(
                    "Releases that a guard or a person stopped", ["Release", "Version", "Stopped by", "Why", "When"]
                ).rows(releases) { item in
                    [
                        a(request.link("models", item.model, "releases", "\(item.release)")) {
                            "\(item.displayName), release \(item.release)"
                        },
                        .text("\(item.version)"),
                        item.guardName.map { Badge.mark("guard \($0)", .bad) } ?? .text("a person"),
                        .text(item.reason), Times.moment(item.endTime),
                    ]
                }
            }
        }
    }

    @MarkupBuilder
    private static func experiments(_ items: [OverviewBodies.Experiment], _ request: PageRequest) -> Markup {
        if !items.isEmpty {
            section {
                h2 { "Experiments" }
                DataTable("Experiments that run or ended lately", ["Experiment", "State", "Verdict", "Found", "Began"])
                    .rows(items) { item in
                        [
                            a(request.link("experiments", item.name)) { item.name }, .text(item.state),
                            verdict(item.verdict), .text(item.summary), Times.moment(item.startTime),
                        ]
                    }
            }
        }
    }

    static func verdict(_ verdict: String?) -> Markup {
        switch verdict {
        case "winner": Badge.mark("a winner", .good)
        case "harm": Badge.mark("harm", .bad)
        case "goOn": Badge.mark("not decided", .neutral)
        default: .text("–")
        }
    }

    @MarkupBuilder
    private static func failed(_ versions: [OverviewBodies.FailedVersion], _ request: PageRequest) -> Markup {
        if !versions.isEmpty {
            section {
                h2 { "Versions that cannot be released" }
                DataTable("Versions that cannot be released", ["Version", "Refused by", "Why", "Uploaded"]).rows(
                    versions
                ) { item in
                    [
                        a(request.link("models", item.model, "versions", "\(item.version)")) {
                            "\(item.displayName), version \(item.version)"
                        },
                        .text(item.kind == "rehearsal" ? "its rehearsal" : "the check of its file"), .text(item.reason),
                        Times.moment(item.createTime),
                    ]
                }
            }
        }
    }

    @MarkupBuilder
    private static func pending(_ files: [OverviewBodies.PendingValidation], _ request: PageRequest) -> Markup {
        if !files.isEmpty {
            section {
                h2 { "Being checked" }
                ul {
                    files.map { file in
                        li {
                            if let model = file.model, let version = file.version {
                                a(request.link("models", model, "versions", "\(version)")) {
                                    "\(file.displayName ?? model), version \(version)"
                                }
                            } else {
                                code { String(file.modelHash.prefix(16)) }
                            }
                            " since "; Times.moment(file.requestTime)
                            file.note.map { ": \($0)" } ?? ""
                        }
                    }
                }
            }
        }
    }
}
