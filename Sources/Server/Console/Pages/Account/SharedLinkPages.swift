import HearthCalls
import HearthHTTP
import HearthWire

/// The links that show single pages of a project.
enum SharedLinkPages {
    static let routes: [ConsoleRoute] = [
        .page("projects/{project}/links", list),
        .action("projects/{project}/links/{link}/revoke", submit: revoke),
    ]

    private static func list(_ request: PageRequest) throws -> Page {
        let links = try links(request)
        return Page(
            "Links to single pages", .account, above: [("Your account", request.site.link("account"))],
            commands: ["hearth console links", "hearth console unshare LINK"]
        ) {
            p {
                """
                Whoever has such a link sees one release or experiment of this project, without signing in, and can \
                change nothing. A link ends with the account or token that made it. Make one on the page of the \
                release or experiment. A revoked link shows nothing from then on.
                """
            }
            if links.isEmpty {
                p(.class("empty")) { "No link is valid now." }
            } else {
                DataTable("Valid links", ["Shows", "Link", "Made by", "Made", "Ends", "Action"]).rows(links) { link in
                    row(request, link)
                }
            }
        }
    }

    private static func links(_ request: PageRequest) throws -> [ConsoleBodies.SharedLink] {
        try request.api.call(SharedLinkCalls.list).sharedLinks ?? []
    }

    /// Says, before an account or token is revoked, which links end with it.
    @MarkupBuilder
    static func ending(madeBy actor: String, _ request: PageRequest) throws -> Markup {
        if request.project.isEmpty {
            p { "The links to single pages that it made end too." }
        } else {
            let count = try links(request).count { $0.createdBy == actor }
            if count > 0 {
                p {
                    strong {
                        """
                        \(NumberText.count(count, "link")) to single pages of this project, which it made, \
                        \(count == 1 ? "ends" : "end") too.
                        """
                    }
                }
            }
        }
    }

    private static func row(_ request: PageRequest, _ link: ConsoleBodies.SharedLink) -> [Markup] {
        [
            shown(request, link), code { link.id },
            .text(ServiceAccountName.short(link.createdBy, project: request.project)), Times.moment(link.createTime),
            Times.moment(link.expireTime),
            form(request, request.link("links", link.id, "revoke"), .class("inline")) {
                button(.class("danger"), .label("Revoke the link \(link.id)")) { "Revoke" }
            },
        ]
    }

    private static func shown(_ request: PageRequest, _ link: ConsoleBodies.SharedLink) -> Markup {
        if let name = link.experiment { return a(request.link("experiments", name)) { "experiment \(name)" } }
        let (model, release) = (link.model ?? "", "\(link.release ?? 0)")
        return a(request.link("models", model, "releases", release)) { "release \(release) of model \(model)" }
    }

    private static func revoke(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        try request.api.send(SharedLinkCalls.end, request.path["link"])
        return .redirect(request.link("links").done(.revoked))
    }
}
