import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// Which versions devices have, what they report, what one of them gets and why, and the pins.
enum DevicePages {
    private static let pattern = "projects/{project}/models/{model}/devices"

    static let routes: [ConsoleRoute] =
        ConsoleRoute.form(
            pattern, reading: ["hours"] + RecentDevicesView.filters.map { $0.field } + DeviceFinder.fields, show: show,
            submit: PinView.pin) + [.action(pattern + "/unpin", submit: PinView.unpin)]

    private static let hours = [
        ("1", "the last hour"), ("24", "the last day"), ("168", "the last week"), ("720", "the last 30 days"),
    ]

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let since = request.fields.text("hours") ?? "24"
        let devices = try request.api.call(ModelCalls.devices, model.id, query: [("maxAge", "3600")])
        let health = try request.api.call(ModelCalls.health, model.id, query: [("hours", since)])
        let pins = PinView(
            request, model, pins: try request.api.call(PinCalls.listOfModel, model.id).pins ?? [],
            versions: try model.versions())
        let recent = RecentDevicesView(request, model)
        let finder = DeviceFinder(request, model)
        var page = Page(
            "Devices of \(model.name)", .models, above: model.above,
            commands: [
                ShellText.command("hearth", "models", "devices", model.name),
                ShellText.command("hearth", "models", "health", model.name),
                ShellText.command(
                    "hearth", "releases", "explain", model.name, "--installation",
                    request.fields.text("installation") ?? "INSTALLATION"),
                ShellText.command(
                    "hearth", "releases", "pin", model.name, "--installation", "INSTALLATION", "--version",
                    "\(model.newest ?? 1)"),
            ], isLive: true
        ) {
            section(.id("adoption"), Attribute("data-live", if: true)) { AdoptionView(devices).markup }
            HealthView(health).markup(
                request, model.link("devices"), choices: hours, chosen: since)
            recent.markup
            finder.markup
            pins.markup
        }
        page.placesProblem = true
        if let refused = recent.problem ?? finder.problem { page.status = refused.status }
        return page
    }
}
