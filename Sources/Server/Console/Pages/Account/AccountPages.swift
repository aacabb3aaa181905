import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The start page, the projects, and the viewer's own sessions.
enum AccountPages {
    static let routes: [ConsoleRoute] =
        [
            ConsoleRoute(method: .get, pattern: "", show: nil) { .redirect(try start($0)) },
            .page("projects", projects), .page("account", account),
            .action("account/sessions/{session}/revoke", submit: revoke),
        ]

    /// The viewer's project; the list of projects for someone who has several.
    private static func start(_ request: PageRequest) throws -> Link {
        let projects = try all(request)
        guard projects.count == 1, let only = projects.first else { return request.site.link("projects") }
        return request.site.link("projects", only.projectId, "")
    }

    private static func all(_ request: PageRequest) throws -> [ProjectBodies.Resource] {
        try request.api.call(ProjectCalls.list).projects ?? []
    }

    private static func projects(_ request: PageRequest) throws -> Page {
        let projects = try all(request)
        return Page("Projects", .home, commands: ["hearth projects list"]) {
            if projects.isEmpty {
                p {
                    "There is no project yet. An operator makes one with "; code { "hearth projects create" }; "."
                }
            }
            ul(.class("cards")) {
                projects.map { project in
                    li {
                        a(request.site.link("projects", project.projectId, "")) { project.projectId }
                        " made "
                        Times.moment(project.createTime)
                    }
                }
            }
        }
    }

    /// The sessions that the viewer may end.
    static func sessions(_ request: PageRequest) throws -> [ConsoleBodies.Session] {
        try request.api.call(SessionCalls.list).sessions ?? []
    }

    private static func account(_ request: PageRequest) throws -> Page {
        let sessions = try sessions(request)
        let projects = request.may(.publisher) ? try all(request) : []
        let viewer = request.viewer
        return Page("Your account", .account, commands: ["hearth console sessions", "hearth console revoke SESSION"]) {
            p {
                "You are "; strong { viewer.name }; viewer.name == viewer.actor ? "" : " (\(viewer.actor))"
                ", \(viewer.role.rawValue) of "
                viewer.projectID.map { "the project \($0)" } ?? "all projects"
                "."
            }
            h2 { "Sessions" }
            p { "A session ends after a time without use, when its key or token is revoked, and when you end it here." }
            DataTable(
                "Sessions that you may end", ["Who", "Browser", "Address", "Signed in", "Last used", "Ends", "Action"]
            )
            .rows(sessions) { session in
                [
                    .text(session.actor), .text(session.browser), .text(session.address),
                    Times.moment(session.createTime), Times.moment(session.useTime),
                    Times.moment(session.expireTime),
                    session.id == viewer.session?.id
                        ? .text("this browser")
                        : form(
                            request, request.site.link("account", "sessions", session.id, "revoke"),
                            .class("inline")
                        ) {
                            button(.class("danger"), .label("End the session of \(session.actor)")) { "End" }
                        },
                ]
            }
            if !projects.isEmpty {
                h2 { "Links to single pages" }
                ul {
                    projects.map { project in
                        li {
                            a(request.site.link("projects", project.projectId, "links")) {
                                "Links of \(project.projectId)"
                            }
                        }
                    }
                }
            }
        }
    }

    private static func revoke(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        try request.api.send(SessionCalls.end, request.path["session"])
        return .redirect(request.site.link("account").done(.revoked))
    }
}
