import HearthCatalog
import HearthHTTP
import HearthWire

/// The whole document of a page: menu, heading, content, commands.
struct Frame {
    private let page: Page
    private let request: PageRequest

    init(_ page: Page, _ request: PageRequest) {
        self.page = page
        self.request = request
    }

    var document: Markup {
        Self.document(
            title: page.title, site: request.site, scripts: ["page.js"] + page.scripts,
            formToken: request.viewer.formToken,
            body: .joined {
                a(.fragment("main"), .class("skip")) { "Skip to the content" }
                request.viewer.linkEnd.map(sharedHeader) ?? header
                main
            })
    }

    /// A document without a menu.
    static func document(
        title: String, site: Site, scripts: [String], formToken: String?, body: Markup
    ) -> Markup {
        .document(
            .element(
                "html", [Attribute("lang", "en")],
                .joined {
                    Markup.element(
                        "head", [],
                        .joined {
                            Markup.element("meta", [Attribute("charset", "utf-8")], nil)
                            meta("viewport", "width=device-width, initial-scale=1")
                            meta("color-scheme", "light dark")
                            meta("robots", "noindex")
                            if let formToken { meta("form-token", formToken) }
                            Markup.element("title", [], .text("\(title) – Hearth"))
                            Markup.element("link", [Attribute("rel", "icon"), .href(asset("icon.svg", site))], nil)
                            Markup.element(
                                "link", [Attribute("rel", "stylesheet"), .href(asset("style.css", site))], nil)
                            scripts.map { name in
                                Markup.element("script", [.type("module"), .source(asset(name, site))], .empty)
                            }
                        })
                    Markup.element(
                        "body", [.data("data-console", site.link(""))], body)
                }))
    }

    private static func asset(_ name: String, _ site: Site) -> Link {
        site.link("assets", Assets.shared.address(of: name))
    }

    private static func meta(_ name: String, _ content: String) -> Markup {
        .element("meta", [.name(name), Attribute("content", content)], nil)
    }

    // MARK: The menu

    /// On a narrow screen the menu is folded: what follows a closed `details` is hidden there. On a wide one the `details` is.
    private var header: Markup {
        .element(
            "header", [.class("top")],
            .joined {
                a(request.site.link(""), .class("brand")) { "Hearth" }
                details(.class("fold"), .id("menu")) { summary { "Menu" } }
                div(.class("menu")) {
                    if !project.isEmpty { projectMenu }
                    accountMenu
                }
            })
    }

    /// Above a page for readers with a link: where it is from, and how long they have it.
    private func sharedHeader(_ end: String) -> Markup {
        .element(
            "header", [.class("top")],
            .joined {
                strong { "Hearth" }
                span {
                    "A page of the project \(request.project), shared with you. The link shows it until "
                    Times.moment(end)
                    ", and lets you change nothing."
                }
            })
    }

    /// On pages of the whole server: the project that the reader saw last.
    private var project: String { request.project.isEmpty ? request.menuProject : request.project }

    private func link(_ segments: String...) -> Link { request.site.link(["projects", project] + segments) }

    private var projectMenu: Markup {
        .joined {
            nav(.class("areas"), .label("Pages of the project")) {
                ul {
                    areas.map { area, link in
                        li {
                            a(link, current(area == page.area && !request.project.isEmpty)) { area.rawValue }
                        }
                    }
                }
            }
            Markup.element(
                "form", [Attribute("role", "search"), .class("search"), .action(link("search"))],
                .joined {
                    label(for: "search") { span(.class("hidden")) { "Search" } }
                    input(
                        .id("search"), .name("q"), .type("search"), .value(page.searched),
                        Attribute("placeholder", "Search  /"),
                        Attribute("maxlength", "100"), Attribute("aria-keyshortcuts", "/"))
                })
        }
    }

    private var areas: [(Page.Area, Link)] {
        var areas: [(Page.Area, Link)] = [
            (.home, link("")), (.models, link("models")), (.config, link("config")),
            (.experiments, link("experiments")),
        ]
        if request.may(.owner) { areas += [(.keys, link("keys")), (.audit, link("audit"))] }
        return areas
    }

    private func current(_ isCurrent: Bool) -> Attribute {
        Attribute("aria-current", isCurrent ? "page" : nil)
    }

    private var accountMenu: Markup {
        nav(.class("account"), .label("Account")) {
            ul {
                if !project.isEmpty {
                    li { a(request.site.link("projects"), .class("cut")) { project } }
                }
                li { a(request.site.link("server"), current(page.area == .server)) { "Server" } }
                li {
                    a(
                        request.site.link("account"), .class("cut who"), Attribute("title", request.viewer.actor),
                        current(page.area == .account)
                    ) {
                        "\(request.viewer.name) (\(request.viewer.role.rawValue))"
                    }
                }
                li {
                    form(request, request.site.link("sign-out"), .class("inline")) {
                        button(.class("plain")) { "Sign out" }
                    }
                }
            }
        }
    }

    // MARK: The content

    private var main: Markup {
        .element(
            "main", [.id("main"), Attribute("data-live-page", if: page.isLive)],
            .joined {
                if !page.above.isEmpty {
                    nav(.class("above"), .label("Pages above")) {
                        ol { page.above.map { text, link in li { a(link) { text } } } }
                    }
                }
                h1 { page.title }
                if page.isLive {
                    p(.class("problem"), .id("lost"), Attribute("role", "alert"), Attribute("hidden", if: true)) {
                        "The server does not answer. What you see may be old."
                    }
                }
                problem
                page.content
                commands
            })
    }

    @MarkupBuilder
    private var problem: Markup {
        if let problem = request.problem, !page.placesProblem { ProblemBox(problem).markup }
        if let notice = request.fields.text(Notice.field).flatMap(Notice.init) {
            p(.class("notice"), Attribute("role", "status")) { notice.text }
        }
    }

    @MarkupBuilder
    private var commands: Markup {
        if !page.commands.isEmpty, !request.viewer.isGuest {
            details(.class("commands")) {
                summary { "The same on the command line" }
                page.commands.map { command in
                    div(.class("copied")) {
                        pre { code { command } }
                        button(.type("button"), .class("copy"), Attribute("data-copy", command)) { "Copy" }
                    }
                }
            }
        }
    }
}

/// A form that changes something. It is sent with the session's token.
func form(
    _ request: PageRequest, _ action: Link, _ attributes: Attribute..., @MarkupBuilder content: () -> Markup
) -> Markup {
    .element(
        "form", [Attribute("method", "post"), .action(action)] + attributes,
        .joined {
            input(.type("hidden"), .name(FormToken.field), .value(request.viewer.formToken))
            content()
        })
}

extension Link {
    /// This link, to the page with a notice.
    func done(_ notice: Notice) -> Link { with([(Notice.field, notice.rawValue)]) }
}
