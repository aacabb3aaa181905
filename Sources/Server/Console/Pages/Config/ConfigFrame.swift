import HearthRemoteConfigTemplates
import HearthWire

/// What all pages about a template have: the menu of its pages, and the draft.
extension ConfigScope {
    /// The pages of a template.
    enum Tab: String, CaseIterable {
        case parameters = "Parameters"
        case conditions = "Conditions"
        case versions = "Versions"
        case device = "As this device"
        case json = "Edit as JSON"
    }

    /// What a page has to do with the draft. The way to publish it is within reach on each page.
    enum DraftUse {
        /// The page shows the draft in place of the active version.
        case shown
        /// The page shows something else.
        case apart
        /// The page is the one that publishes it.
        case own
    }

    /// - Parameter tab: the page in the menu; nil for pages below none of them.
    func page(
        _ title: String, tab: Tab?, above: [(text: String, link: Link)] = [], commands: [String] = [],
        scripts: [String] = [], draft use: DraftUse = .apart, @MarkupBuilder content: () throws -> Markup
    ) rethrows -> Page {
        let content = try content()
        return Page(title, .config, above: above, commands: commands, scripts: scripts) {
            menu(tab)
            if use != .own, let draft { banner(draft, use) }
            content
        }
    }

    /// The way up to the parameters.
    var top: [(text: String, link: Link)] { [(name, link())] }

    var name: String { namespace == .client ? "Remote Config" : "Remote Config for servers" }

    private func menu(_ tab: Tab?) -> Markup {
        nav(.class("tabs"), .label("Pages of the template")) {
            ul {
                Tab.allCases.map { item in
                    li {
                        a(link(to: item), current(item == tab)) { item == .json && !mayEdit ? "JSON" : item.rawValue }
                    }
                }
                li(.class("other")) {
                    let other = namespace == .client ? TemplateNamespace.server : .client
                    a(request.link(Self.root(other))) {
                        other == .client ? "Template for devices" : "Template for servers"
                    }
                }
            }
        }
    }

    private func link(to tab: Tab) -> Link {
        switch tab {
        case .parameters: link()
        case .conditions: link("conditions")
        case .versions: link("versions")
        case .device: link("device")
        case .json: link("json")
        }
    }

    private func current(_ isCurrent: Bool) -> Attribute {
        Attribute("aria-current", isCurrent ? "page" : nil)
    }

    private func banner(_ draft: TemplateDraft, _ use: DraftUse) -> Markup {
        let changes = NumberText.count(draft.changeCount, "change")
        return p(.class("hint"), Attribute("role", "status")) {
            use == .shown
                ? "You see your draft: \(changes) not published yet. "
                : "You have a draft: \(changes) not published yet. "
            a(link("changes")) { "Look at the changes and publish" }
        }
    }

    /// Who made a version, and when.
    func authorship(_ version: RemoteConfigVersion) -> Markup {
        .joined {
            Times.moment(version.updateTime)
            " by "
            version.updateUser?.email ?? version.updateUser?.name ?? "unknown"
        }
    }
}

/// A form that only reads: its fields stand in the address.
func searchForm(_ action: Link, _ attributes: Attribute..., @MarkupBuilder content: () -> Markup) -> Markup {
    .element("form", [.action(action)] + attributes, content())
}
