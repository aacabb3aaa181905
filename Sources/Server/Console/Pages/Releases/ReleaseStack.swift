import HearthCalls
import HearthCatalog
import HearthWire

/// The releases under way, drawn as they lie on each other: a device gets the first one from above that includes it.
struct ReleaseStack {
    private let releases: [ReleaseBodies.Release]
    private let model: PageModel

    private static let width = 480.0
    private static let rowHeight = 30.0

    /// - Parameter releases: those that have not ended, newest first.
    init(_ releases: [ReleaseBodies.Release], _ model: PageModel) {
        self.releases = releases
        self.model = model
    }

    var markup: Markup {
        guard !releases.isEmpty else {
            return p(.class("empty")) {
                "Nothing: the model has no release. Release a version, and devices get it at their next request."
            }
        }
        return .joined {
            if releases.count > 1 {
                chart
                p(.class("faint")) { "A device gets the first release from above that includes it." }
            }
            table
        }
    }

    private var chart: Markup {
        let height = Double(releases.count) * Self.rowHeight
        return SVG.chart(
            width: Self.width, height: height, title: "Releases under way",
            description: releases.map { "\(Self.title($0)): \(SharePercent.text($0.share))" }.joined(separator: "; ")
        ) {
            releases.enumerated().map { index, release in
                let top = Double(index) * Self.rowHeight
                return Markup.joined {
                    SVG.rect(x: 0, y: top + 3, width: Self.width, height: Self.rowHeight - 8, .class("axis"))
                    SVG.rect(
                        x: 0, y: top + 3, width: max(2, release.share * Self.width), height: Self.rowHeight - 8,
                        .class(release.state == "paused" ? "fill-5" : "fill-\(min(index, 3) + 1)"),
                        Attribute("fill-opacity", "0.35"))
                    SVG.text(x: 8, y: top + 18, "\(Self.title(release)): \(SharePercent.text(release.share))")
                }
            }
        }
    }

    private static func title(_ release: ReleaseBodies.Release) -> String {
        "Version \(release.version)\(release.state == "paused" ? ", paused" : "")"
    }

    private var table: Markup {
        DataTable(
            "Releases under way, newest first", ["Release", "Version", "Share", "State", "Audience", "Began", "By"]
        )
        .rows(releases) { release in
            [
                a(model.link("releases", "\(release.release)")) { "Release \(release.release)" },
                a(model.link("versions", "\(release.version)")) { "Version \(release.version)" },
                .text(SharePercent.text(release.share)), ReleaseState.badge(release),
                .text(AudienceText.text(release.audience)), Times.moment(release.createTime),
                .text(model.shortName(ofActor: release.createdBy)),
            ]
        }
    }
}

/// The state of a release in a few words.
enum ReleaseState {
    static func badge(_ release: ReleaseBodies.Release) -> Markup {
        if let stop = release.guarding?.stop { return Badge.mark("stopped by \(stop.name)", .bad) }
        switch release.state {
        case "paused": return Badge.mark("paused", .warning)
        case "ended": return Badge.mark("ended", .neutral)
        default:
            return release.share < 1 ? Badge.mark("rolling out", .warning) : Badge.mark("to all devices", .good)
        }
    }
}
