/// What a page shows inside the frame that all pages have.
struct Page: Sendable {
    /// The parts of the console, as in its menu.
    enum Area: String, Sendable, CaseIterable {
        case home = "Home"
        case models = "Models"
        case config = "Remote Config"
        case experiments = "Experiments"
        case keys = "Keys and tokens"
        case audit = "Audit log"
        case server = "Server"
        case account = "Account"
    }

    /// The one heading of the page.
    var title: String
    var area: Area
    /// The pages above this one, from the top.
    var above: [(text: String, link: Link)] = []
    /// The commands that do or show the same.
    var commands: [String] = []
    /// The script modules that the page needs besides the one of all pages.
    var scripts: [String] = []
    /// Whether the parts with the attribute `data-live` are fetched again every few seconds.
    var isLive = false
    var status = 200
    /// Whether the content shows why its form was refused, beside that form; the frame shows it otherwise.
    var placesProblem = false
    /// What stands in the field of the search.
    var searched = ""
    var content: Markup

    init(
        _ title: String, _ area: Area, above: [(text: String, link: Link)] = [], commands: [String] = [],
        scripts: [String] = [], isLive: Bool = false, status: Int = 200, @MarkupBuilder content: () throws -> Markup
    ) rethrows {
        self.title = title
        self.area = area
        self.above = above
        self.commands = commands
        self.scripts = scripts
        self.isLive = isLive
        self.status = status
        self.content = try content()
    }
}
