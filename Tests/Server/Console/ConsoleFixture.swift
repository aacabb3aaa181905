import Foundation
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

/// The console of a `TestService`, and what a browser does with it.
final class ConsoleFixture: Sendable {
    let service: TestService
    let console: Console
    /// What the console logged.
    let log = LogRecorder()
    let publicURL: String?

    /// - Parameter publicURL: as the setting `public-url`.
    init(publicURL: String? = nil, configure: @escaping (inout TestServices) -> Void = { _ in }) throws {
        let service = try TestService { services in
            services.publicURL = publicURL
            configure(&services)
        }
        self.service = service
        self.publicURL = publicURL
        console = Self.console(service.handler, publicURL, log)
    }

    /// The console of one of several servers.
    init(over service: TestService) {
        self.service = service
        publicURL = nil
        console = Self.console(service.handler, nil, log)
    }

    private static func console(_ service: HearthService, _ publicURL: String?, _ log: LogRecorder) -> Console {
        Console(
            .init(
                server: service.consoleServices, publicURL: publicURL, sessionSeconds: 168 * 3600, log: { log.add($0) }),
            firstRouteNumber: 1)
    }

    /// The console of another server process over the same database.
    func secondConsole() -> Console {
        Self.console(HearthService(service.services), publicURL, log)
    }

    /// A code for whoever has the token; project a's own account without one.
    func code(token: String? = nil) throws -> String {
        let answer = try service.hearth(.post, "signInCodes", token: token)
        return try #require(answer.string("code"), "\(answer.text)")
    }

    /// A browser that is signed in with a token, or as project a's own account.
    func browser(token: String? = nil) throws -> Browser {
        let browser = Browser(self)
        let answer = try browser.signIn(code(token: token))
        try #require(answer.status == 303, "\(answer.text)")
        return browser
    }

    func browser(_ role: Role, in project: String? = "project-a") throws -> Browser {
        try browser(token: service.adminToken(role, in: project))
    }
}

/// A browser with its cookies, on the server's own machine unless it says otherwise.
final class Browser {
    let fixture: ConsoleFixture
    var console: Console
    var cookies: [String: String] = [:]
    var host = "127.0.0.1:8080"
    var origin: String? = "http://127.0.0.1:8080"
    var address = "127.0.0.1"
    var trustedProxies = AddressRanges()
    /// What a proxy adds.
    var more: HTTPHeaders = [:]
    /// The path under which a proxy publishes the server.
    var prefix = ""

    init(_ fixture: ConsoleFixture) {
        self.fixture = fixture
        console = fixture.console
    }

    func send(
        _ method: HTTPMethod, _ path: String, headers: HTTPHeaders = [:], body: [UInt8] = [], announces: Bool = true
    ) throws -> TestResponse {
        var all: HTTPHeaders = ["Host": host]
        for field in more { all[field.name] = field.value }
        if !cookies.isEmpty {
            all["Cookie"] = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
        for field in headers { all[field.name] = field.value }
        let head = try RequestHead(
            method: method, target: path, headers: all, contentLength: announces ? UInt64(body.count) : nil,
            remoteAddress: address, trustedProxies: trustedProxies, id: "request-1")
        let answer = try #require(InProcessCall.run(console, head, body: body, pieceBytes: 1 << 16))
        for field in answer.headers.values("Set-Cookie") { take(cookie: field) }
        return answer
    }

    private func take(cookie field: String) {
        let parts = field.split(separator: ";")[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let (name, value) = (String(parts[0]), String(parts[1]))
        cookies[name] = value.isEmpty ? nil : value
    }

    /// A page below `console/`.
    func get(_ path: String) throws -> TestResponse { try send(.get, "\(prefix)/console/\(path)") }

    /// A form below `console/`, with this origin and the token of this session unless `token` says otherwise.
    func post(_ path: String, _ fields: [(String, String)] = [], token: String? = nil) throws -> TestResponse {
        let token = try token ?? formToken()
        return try postRaw(path, fields + [("form-token", token)])
    }

    /// A form without a token.
    func postRaw(_ path: String, _ fields: [(String, String)]) throws -> TestResponse {
        var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
        headers["Origin"] = origin
        return try send(
            .post, "\(prefix)/console/\(path)", headers: headers, body: Array(Self.encode(fields).utf8))
    }

    static func encode(_ fields: [(String, String)]) -> String {
        fields.map { "\(URLText.encode($0))=\(URLText.encode($1))" }.joined(separator: "&")
    }

    func signIn(_ proof: String, to: String = "") throws -> TestResponse {
        try postRaw("sign-in", [("proof", proof), ("to", to)])
    }

    /// The token in the pages of this session.
    func formToken() throws -> String {
        let page = try get("account")
        let mark = "name=\"form-token\" content=\""
        let start = try #require(page.text.firstRange(of: mark), "\(page.status) \(page.text)")
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    var session: String? { cookies.first { $0.key.contains("hearth-session") }?.value }
    var isSignedIn: Bool { get throws { try get("account").status == 200 } }
}

extension TestResponse {
    /// The page's heading, escaped as in the page.
    var heading: String? { text(between: "<h1>", "</h1>") }

    func text(between start: String, _ end: String) -> String? {
        guard let from = text.firstRange(of: start) else { return nil }
        let rest = text[from.upperBound...]
        return rest.firstRange(of: end).map { String(rest[..<$0.lowerBound]) }
    }

    /// What all pages have in common: one heading, a title, closed elements, and nothing that the policy forbids.
    func expectPage(
        _ heading: String, status: Int = 200, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(self.heading == heading, sourceLocation: sourceLocation)
        #expect(text.ranges(of: "<h1>").count == 1, sourceLocation: sourceLocation)
        #expect(text.contains("<title>\(heading) – Hearth</title>"), sourceLocation: sourceLocation)
        #expect(headers["Cache-Control"] == "no-store", sourceLocation: sourceLocation)
        #expect(headers["Content-Type"] == "text/html; charset=utf-8", sourceLocation: sourceLocation)
        for forbidden in [" style=", " onclick=", "=\"javascript:", "<style", "=\"http:", "=\"https:", "=\"//"] {
            #expect(!text.contains(forbidden), "\(forbidden)", sourceLocation: sourceLocation)
        }
        #expect(text.ranges(of: "<script").count == text.ranges(of: "<script type=\"module\" src=\"").count)
        HTMLCheck.check(text, sourceLocation: sourceLocation)
    }
}

/// Reads the HTML that the pages make, which is regular: each element is closed, and each attribute is quoted.
enum HTMLCheck {
    private static let empty: Set = ["input", "meta", "link", "img", "br", "hr", "source", "wbr"]

    static func check(_ html: String, sourceLocation: SourceLocation = #_sourceLocation) {
        var open: [String] = []
        var ids: Set<String> = []
        var labelled: Set<String> = []
        var inputs: [String] = []
        for tag in tags(html) {
            if tag.hasPrefix("/") {
                #expect(open.popLast() == String(tag.dropFirst()), sourceLocation: sourceLocation)
                continue
            }
            let name = String(tag.prefix { $0 != " " })
            if !empty.contains(name) { open.append(name) }
            if let id = attribute("id", tag) {
                #expect(ids.insert(id).inserted, "the id \(id) occurs twice", sourceLocation: sourceLocation)
            }
            if let target = attribute("for", tag) { labelled.insert(target) }
            let isField = ["input", "select", "textarea"].contains(name) && attribute("type", tag) != "hidden"
            if isField, attribute("aria-label", tag) == nil { inputs.append(attribute("id", tag) ?? tag) }
        }
        #expect(open.isEmpty, "not closed: \(open)", sourceLocation: sourceLocation)
        for input in inputs {
            #expect(labelled.contains(input), "\(input) has no label", sourceLocation: sourceLocation)
        }
    }

    private static func tags(_ html: String) -> [String] {
        html.split(separator: "<").compactMap { piece in
            guard !piece.hasPrefix("!"), let end = piece.firstIndex(of: ">") else { return nil }
            return String(piece[..<end])
        }
    }

    private static func attribute(_ name: String, _ tag: String) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\"") else { return nil }
        return String(tag[start.upperBound...].prefix { $0 != "\"" })
    }
}
