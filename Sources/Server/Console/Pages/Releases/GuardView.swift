import HearthCalls
import HearthWire

/// What the guards of a release have seen.
struct GuardView {
    private let release: ReleaseBodies.Release
    private let guarding: ReleaseBodies.GuardingStatus

    init(_ release: ReleaseBodies.Release, _ guarding: ReleaseBodies.GuardingStatus) {
        self.release = release
        self.guarding = guarding
    }

    private var hasReports: Bool {
        guarding.guards.contains { item in item.devices.map { $0.version + $0.below > 0 } ?? (item.ratio != nil) }
    }

    private var takesNobodyPart: Bool {
        guarding.devices.map { $0.takingPart.version + $0.takingPart.below == 0 && $0.namedOther > 0 } ?? false
    }

    var markup: Markup { hasReports ? table : nothing }

    /// Rates of no devices would look like results.
    private var nothing: Markup {
        .joined {
            p { watching }
            taking
            if release.state == "ended" {
                p(.class("empty")) {
                    "The server keeps what guards have seen only while they watch. The history has the numbers that decided."
                }
            } else if takesNobodyPart {
                div(.class("empty")) {
                    p { strong { "No device takes part yet." } }
                    p {
                        """
                        A device does if it named the baseline when it first asked, the version that it would get \
                        without the release. New installations and devices with another version do not.
                        """
                    }
                }
            } else {
                div(.class("empty")) {
                    p { strong { "No reports yet." } }
                    p {
                        "The guards compare devices that have version \(release.version) with devices on the baseline, which is the version of the fallback release. "
                        HealthView.whoReports
                    }
                }
            }
            let off = guarding.guards.filter { $0.state == "off" }
            if !off.isEmpty {
                p(.class("faint")) { "Off: \(off.map { Self.name($0.name) }.joined(separator: "; "))." }
            }
        }
    }

    private var table: Markup {
        .joined {
            p { watching }
            taking
            GuardIntervals(guarding.guards).markup
            DataTable(
                "Guards",
                [
                    "Guard", "State", "Devices with the version", "Failed", "Baseline devices", "Baseline failed",
                    "Longer runs",
                ]
            ).rows(guarding.guards) { item in
                [
                    .text(Self.name(item.name)), Self.badge(item.state),
                    .text(item.devices.map { NumberText.count($0.version) } ?? "–"),
                    .text(Self.share(item.failed?.version, of: item.devices?.version)),
                    .text(item.devices.map { NumberText.count($0.below) } ?? "–"),
                    .text(Self.share(item.failed?.below, of: item.devices?.below)),
                    .text(item.ratio.map { "× \(NumberText.decimal($0, 2))" } ?? "–"),
                ]
            }
            lacks
        }
    }

    /// Which devices take part.
    private var taking: Markup {
        guard let devices = guarding.devices else { return .joined {} }
        let (version, baseline) = (devices.takingPart.version, devices.takingPart.below)
        let others = [
            (devices.namedOther, "first named no version or another one"),
            (devices.outsideSample, "are not in the sample"), (devices.left, "left"),
        ].filter { $0.0 > 0 }.map { "\(NumberText.count($0.0)) \($0.1)" }
        return .joined {
            p {
                """
                \(NumberText.count(version + baseline, "device")) take part: \(NumberText.count(version)) that the draw \
                gives the version, \(NumberText.count(baseline)) on the baseline.
                """
                    + (others.isEmpty ? "" : " Others do not: \(others.joined(separator: ", ")).")
            }
            if devices.comparedShare < 1 {
                p {
                    """
                    Only \(NumberText.percent(devices.comparedShare)) of the draw are compared: the others were \
                    offered the version before the watch began, or the share was lowered.
                    """
                }
            }
            if devices.neverTaken > 0 {
                p {
                    """
                    \(NumberText.count(devices.neverTaken, "device")) came back and never took the version, beside \
                    \(NumberText.count(devices.taken)) that did; \(NumberText.count(devices.lackingStorage)) lack \
                    room for it. That stops nothing.
                    """
                }
            }
        }
    }

    /// What undecided guards lack.
    private var lacks: Markup {
        .joined {
            for item in guarding.guards {
                if let lacks = item.lacks { p(.class("faint")) { "\(Self.name(item.name)): \(lacks)." } }
            }
        }
    }

    private var watching: String {
        let harm = guarding.onHarm == "rollback" ? "rolls the release back" : "pauses the release"
        if let reason = guarding.unwatched {
            return reason == "nothing-below"
                ? "The server does not watch this release, because no older release is under way to compare with."
                : "The server does not watch this release, because it watches too many others."
        }
        guard release.share < 1 else {
            return "The guards watch a release while it reaches a part of the devices; this one reaches all."
        }
        guard release.state == "active" else {
            return release.state == "paused"
                ? "The guards wait while the release is paused." : "The guards watched the release until its end."
        }
        let reporting =
            hasReports ? guarding.reportingShare.map { " \(NumberText.percent($0)) of the devices report." } ?? "" : ""
        return
            "If a guard finds harm, the server \(harm). A device counts as sound after \(Self.time(guarding.holdSeconds)).\(reporting)"
    }

    /// `2 hours`.
    static func time(_ seconds: Int) -> String {
        seconds < 7200
            ? NumberText.count(Int((Double(seconds) / 60).rounded()), "minute")
            : "\(NumberText.decimal(Double(seconds) / 3600, 1)) hours"
    }

    static func name(_ name: String) -> String {
        switch name {
        case "returned-without": "devices that come back without the version"
        case "load-failures": "devices that cannot load it"
        case "crashes": "devices that crash while it runs"
        case "failed-runs": "devices with runs that fail"
        case "run-time": "longer runs"
        default: name
        }
    }

    static func badge(_ state: String) -> Markup {
        switch state {
        case "violated": Badge.mark("harm found", .bad)
        case "satisfied": Badge.mark("no harm", .good)
        case "undecided": Badge.mark("not decided yet", .neutral)
        case "waiting": Badge.mark("waits for reports", .neutral)
        case "unwatched": Badge.mark("not watched", .warning)
        case "off": Badge.mark("off", .neutral)
        default: Badge.mark(state, .neutral)
        }
    }

    private static func share(_ failed: Int?, of devices: Int?) -> String {
        guard let failed, let devices else { return "–" }
        guard devices > 0 else { return NumberText.count(failed) }
        return "\(NumberText.count(failed)) (\(NumberText.percent(Double(failed) / Double(devices), 2)))"
    }
}
