import HearthCalls
import HearthHTTP
import HearthWire

/// The installations whose last calls for the model the server remembers, with filters.
struct RecentDevicesView {
    /// The fields of the form, and what the API calls them.
    static let filters: [(field: String, query: String, title: String)] = [
        ("with-version", "version", "Has version"), ("with-os", "os", "Operating system"),
        ("with-app-version", "appVersion", "App version"), ("with-language", "language", "Language"),
        ("with-country", "country", "Country"), ("with-tag", "tag", "Tag"),
    ]
    private static let most = 50

    private let request: PageRequest
    private let model: PageModel
    private let list: DeviceBodies.RecentList
    /// Why a filter was refused.
    let problem: APIFailure?

    init(_ request: PageRequest, _ model: PageModel) {
        self.request = request
        self.model = model
        switch request.api.result(ModelCalls.recentDevices, model.id, query: Self.query(request)) {
        case .success(let found): (list, problem) = (found, nil)
        case .failure(let failure): (list, problem) = (DeviceBodies.RecentList(devices: nil, totalSize: 0), failure)
        }
    }

    private static func query(_ request: PageRequest) -> APIClient.Query {
        filters.map { ($0.query, value(request, $0.field)) } + [("pageSize", "\(most)")]
    }

    /// Nil without a filter of that name.
    private static func value(_ request: PageRequest, _ field: String) -> String? {
        request.head.method == .get ? request.fields.text(field) : nil
    }

    var markup: Markup {
        let isFiltered = Self.filters.contains { Self.value(request, $0.field) != nil }
        return section(.id("recent")) {
            h2 { "Installations that asked lately" }
            if isFiltered || list.totalSize > 0 || problem != nil { form }
            if let problem {
                ProblemBox(problem, takesFocus: false).markup
            } else if let devices = list.devices {
                table(devices)
                p(.class("faint")) {
                    list.totalSize > devices.count
                        ? "The last \(devices.count) of \(NumberText.count(list.totalSize)); set a filter to find others. "
                        : ""
                    "Installations have their names in logs here: an id itself is as good as a password."
                }
            } else if isFiltered {
                p(.class("empty")) {
                    "No remembered installation is like that. "
                    a(model.link("devices").with(fragment: "recent")) { "Show all" }
                }
            } else {
                p(.class("empty")) {
                    """
                    The server remembers no call. It remembers those whose answer depends on the device: while the \
                    model has a release to a share or an audience, an experiment, or a pin; and only until it \
                    restarts. With the id of an installation, ask below.
                    """
                }
            }
        }
    }

    private var form: Markup {
        .element(
            "form", [.class("filter"), .action(model.link("devices").with(fragment: "recent"))],
            .joined {
                Self.filters.map { filter in
                    Field.text(filter.field, filter.title, value: Self.value(request, filter.field) ?? "")
                }
                button { "Filter" }
            })
    }

    private func table(_ devices: [DeviceBodies.Recent]) -> Markup {
        DataTable(
            "Installations, the latest call first",
            ["Installation", "Last call", "Has version", "System", "App version", "Language", "Country", "Tags"]
        ).rows(devices) { device in
            [
                a(request.explanation(of: device.installation, model: model.id)) { code { device.installation } },
                Times.moment(device.lastCallTime), .text(device.version.map(String.init) ?? "none"),
                .text(device.os ?? "–"), .text(device.appVersion ?? "–"), .text(device.language ?? "–"),
                .text(device.country ?? "–"), .text((device.tags ?? []).joined(separator: ", ").nonEmpty ?? "–"),
            ]
        }
    }
}

extension PageRequest {
    /// Where people read what an installation gets of a model, by its id or its name in logs.
    func explanation(of installation: String, model id: String) -> Link {
        link("models", id, "devices").with([("installation", installation)]).with(fragment: "one")
    }
}
