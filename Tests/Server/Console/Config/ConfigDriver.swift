import HearthCatalog
import HearthHTTP
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

/// A person at the pages of Remote Config.
struct ConfigDriver {
    static let root = "projects/project-a/config"

    let fixture: ConsoleFixture
    let browser: Browser
    let root: String

    init(_ role: Role = .publisher, fixture: ConsoleFixture? = nil, namespace: String = "config") throws {
        let fixture = try fixture ?? ConsoleFixture()
        self.fixture = fixture
        browser = try fixture.browser(role)
        root = "projects/project-a/\(namespace)"
    }

    var service: TestService { fixture.service }

    func page(_ path: String) throws -> TestResponse { try browser.get(root + path) }

    func post(_ path: String, _ fields: [(String, String)] = []) throws -> TestResponse {
        try browser.post(root + path, fields)
    }

    /// Sends a form, which must be taken.
    func change(_ path: String, _ fields: [(String, String)] = []) throws {
        let answer = try post(path, fields)
        try #require(answer.status == 303, "\(answer.text)")
    }

    func publish(_ description: String = "") throws -> TestResponse {
        let page = try page("/changes")
        let digest = page.text(between: "name=\"draft\" value=\"", "\"") ?? ""
        return try post("/changes", [("draft", digest), ("description", description)])
    }

    /// The template that is published.
    func active(namespace: String = "firebase") throws -> RemoteConfigTemplate {
        let answer = try service.config(.get, "namespaces/\(namespace)/remoteConfig")
        return try WireJSON.decode(RemoteConfigTemplate.self, from: answer.body)
    }

    /// The fields of a parameter's form with a text as the default.
    static func parameter(
        _ key: String, _ value: String, type: String = "STRING", newGroup: String = ""
    ) -> [(String, String)] {
        [
            ("key", key), ("description", ""), ("type", type), ("group", ""), ("new-group", newGroup),
            ("default-kind", "text"), ("default", value),
        ]
    }

    static let template = """
        {"conditions":[{"name":"swiss","expression":"device.country in ['CH']","tagColor":"BLUE"},
        {"name":"beta","expression":"percent('s') <= 10"}],
        "parameters":{"colour":{"defaultValue":{"value":"red"},"conditionalValues":{"swiss":{"value":"white"}},
        "description":"Of the button"},"threshold":{"defaultValue":{"value":"0.6"},"valueType":"NUMBER"}}}
        """
}
