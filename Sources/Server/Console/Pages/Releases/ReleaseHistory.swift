import HearthCalls
import HearthCatalog
import HearthWire

/// What happened to a release, newest first. Owners see what the audit log has; others see what the releases themselves know.
struct ReleaseHistory {
    struct Event: Equatable {
        var time: String
        /// Nil where it is not known.
        var who: String?
        var what: String
        var detail = ""
    }

    private(set) var events: [Event]
    /// Whether the audit log has more, older entries of this time than one call gives.
    private(set) var isCut = false
    /// Why the release ended, as a sentence; nil while it goes on, and where a guard is the reason.
    private(set) var ending: String?

    private static let pageSize = 100

    /// - Parameter releases: all of the model.
    init(
        _ release: ReleaseBodies.Release, among releases: [ReleaseBodies.Release], _ model: PageModel,
        _ request: PageRequest
    ) throws {
        let project = request.project
        let own = Self.known(release, among: releases, project)
        (events, ending) = (own.events, own.ending)
        guard request.may(.owner), !request.viewer.isGuest else { return }
        let end = release.endTime.flatMap { Timestamp(rfc3339: $0) }?.adding(seconds: 1)
        let found = try request.api.call(
            AuditCalls.listOfProject,
            query: [
                ("model", "models/\(model.id)"), ("startTime", release.createTime),
                ("endTime", end?.rfc3339(fractionDigits: 6)), ("pageSize", "\(Self.pageSize)"),
            ])
        let logged = (found.entries ?? []).compactMap { entry in
            Self.event(entry, release.release).map { (entry, $0) }
        }
        // The log may have been shortened, or be of a time before the model came here.
        guard !logged.isEmpty else { return }
        isCut = found.nextPageToken != nil
        let began = isCut || !logged.contains { $0.1.what == "Began" } ? own.events.suffix(1) : []
        events = logged.map { $0.1 } + began
        if own.ending != nil, let (entry, event) = logged.first, entry.actor != "server", let who = event.who {
            switch event.what {
            case "Stopped": ending = "Stopped by a person: \(who)."
            case "Unpublished": ending = "Stopped by a person: \(who) unpublished the model."
            default: break
            }
        }
    }

    // MARK: What the releases themselves know

    private static func known(
        _ release: ReleaseBodies.Release, among releases: [ReleaseBodies.Release], _ project: String
    ) -> (events: [Event], ending: String?) {
        let who = name(release.createdBy, project)
        var events = [Event(time: release.createTime, who: who, what: "Began")]
        let stop = release.guarding?.stop
        if let stop {
            events.append(Event(time: stop.time, what: "Stopped by the guard \(stop.name)", detail: stop.reason))
        }
        if let time = release.pauseTime, time != stop?.time { events.append(Event(time: time, what: "Paused")) }
        var sentence: String?
        if let time = release.endTime, time != stop?.time {
            let (event, text) = end(of: release, time, among: releases, project)
            events.append(event)
            sentence = text
        }
        return (events.reversed(), sentence)
    }

    /// Nil for readers who do not learn it.
    private static func name(_ actor: String, _ project: String) -> String? {
        actor.isEmpty ? nil : ServiceAccountName.short(actor, project: project)
    }

    private static func end(
        of release: ReleaseBodies.Release, _ time: String, among releases: [ReleaseBodies.Release], _ project: String
    ) -> (Event, String) {
        let newer = releases.filter { $0.release > release.release }
        if let next = newer.first(where: { $0.createTime == time }) {
            let who = name(next.createdBy, project)
            let text = "release \(next.release) gives all devices version \(next.version)"
            return next.kind == "rollback"
                ? (
                    Event(time: time, who: who, what: "Rolled back", detail: "\(text) again"),
                    who.map { "Stopped by a person: \($0) rolled back, and \(text) again." }
                        ?? "Stopped by a person, who rolled back: \(text) again."
                )
                : (
                    Event(time: time, who: who, what: "Replaced", detail: text),
                    "Replaced: \(text)."
                )
        }
        // It may have reached all devices at that moment, by its schedule or because someone raised its share.
        if let next = newer.first(where: { $0.share == 1 && $0.createTime < time && time <= $0.endTime ?? time }) {
            return (
                Event(time: time, what: "Ended"),
                "Ended. Release \(next.release) gives all devices version \(next.version)."
            )
        }
        return (Event(time: time, what: "Stopped by a person"), "Stopped by a person.")
    }

    // MARK: What the audit log has

    /// Nil for an entry about other things.
    static func event(_ entry: AuditBodies.Entry, _ number: Int) -> Event? {
        let detail = entry.detail ?? ""
        let isServer = entry.actor == "server"
        let who =
            isServer
            ? "the server"
            : entry.actorName.map { "token \($0)" } ?? ServiceAccountName.short(entry.actor, project: entry.projectId)
        func event(_ what: String, _ detail: some StringProtocol) -> Event {
            Event(time: entry.time, who: who, what: what, detail: String(detail))
        }
        if let rest = own(detail, number) {
            switch entry.action {
            case "release.publish", "release.rollout", "release.rollback": return event("Began", rest)
            case "release.change": return event("Changed", rest)
            case "release.widen": return event("Share raised", rest)
            case "release.pause": return event("Paused", rest)
            case "release.resume": return event("Resumed", rest)
            case "release.end": return event("Stopped", rest)
            case "release.complete": return event("Reached all devices", rest)
            default: return event(entry.action, rest)
            }
        }
        if entry.action == "model.publish", numbers(in: detail, after: ", release ").first == number {
            return event("Began", "published for all devices")
        }
        guard ended(in: detail).contains(number) else { return nil }
        switch entry.action {
        case "release.rollback": return event("Rolled back", lead(of: detail))
        case "model.unpublish": return event("Unpublished", "the model")
        default: return event("Replaced", "by " + lead(of: detail))
        }
    }

    /// What follows `release 3, version 2` in a detail about that release; nil in one about another.
    private static func own(_ detail: String, _ number: Int) -> Substring? {
        let title = "release \(number), version "
        guard detail.hasPrefix(title) else { return nil }
        let rest = detail.dropFirst(title.count).drop { $0.isNumber }
        let text = rest.drop { ",:; ".contains($0) }
        // Which others ended with it stands on their pages.
        return text.firstRange(of: "ended release").map { range in
            var before = text[..<range.lowerBound]
            while let last = before.last, "; ".contains(last) { before.removeLast() }
            return before
        } ?? text
    }

    /// The releases that a change ended: `… ; ended releases 1, 2`.
    private static func ended(in detail: String) -> [Int] {
        let many = numbers(in: detail, after: "ended releases ")
        return many.isEmpty ? numbers(in: detail, after: "ended release ") : many
    }

    private static func numbers(in detail: String, after mark: String) -> [Int] {
        guard let range = detail.ranges(of: mark).last else { return [] }
        return detail[range.upperBound...].split(separator: ", ").map { $0.prefix { $0.isNumber } }.compactMap {
            Int($0)
        }
    }

    private static func lead(of detail: String) -> Substring { detail.prefix { $0 != ";" } }

    // MARK: The page's part

    func markup(_ request: PageRequest, _ model: PageModel) -> Markup {
        section(.id("history"), Attribute("data-live", if: true)) {
            h2 { "History" }
            DataTable("History of the release, newest first", ["When", "What", "Who", "Detail"]).rows(events) { event in
                [
                    Times.moment(event.time), .text(event.what), .text(event.who ?? "–"),
                    .text(event.detail.replacing(" -> ", with: " → ")),
                ]
            }
            if isCut {
                p(.class("faint")) {
                    "More stands in the "
                    a(request.link("audit").with([("model", model.name)])) { "audit log" }
                    "."
                }
            } else if !request.may(.owner), !request.viewer.isGuest {
                p(.class("faint")) { "Owners also see each change of the share, from the audit log." }
            }
        }
    }
}
