import Foundation
import Glibc
import HearthCatalog
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthTestSupport
import Testing

@testable import HearthManagementTestSupport

/// nginx that compresses whatever it may, in front of the service, and curl as a client that takes gzip.
@Suite("Behind a proxy that compresses", .enabled(if: CompressingProxy.program != nil, "TEST_NGINX is not set"))
struct CompressingProxyTests {
    private let service: TestService
    private let proxy: CompressingProxy

    init() throws {
        service = try TestService()
        proxy = try CompressingProxy(before: service.handler)
    }

    /// What curl gets: the head's lines in lower case, and the body as it came.
    private func get(_ path: String, _ headers: HTTPHeaders, _ body: String? = nil) throws -> (
        head: [String], body: Data
    ) {
        let file = proxy.folder.path + "/body"
        var arguments = ["-sS", "--max-time", "30", "-D", "-", "-o", file, "-H", "Accept-Encoding: gzip"]
        for field in headers { arguments += ["-H", "\(field.name): \(field.value)"] }
        if let body { arguments += ["--data-binary", body] }
        let output = try CompressingProxy.curl(arguments + [proxy.url + path])
        let lines = output.lowercased().components(separatedBy: "\r\n")
        return (lines, try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    private var device: HTTPHeaders {
        get throws {
            [
                "x-goog-api-key": service.a.apiKey, "x-ios-bundle-identifier": service.a.bundleID,
                "x-goog-firebase-installations-auth": try service.installationToken(service.a),
            ]
        }
    }

    @Test("nginx compresses what names no coding, and then changes its ETag")
    func compresses() throws {
        // Otherwise the other tests would show nothing.
        let answer = try get("/quoted", [:])
        #expect(answer.head.contains("content-encoding: gzip") && answer.head.contains("etag: w/\"abc\""))
        #expect(!(try get("/unquoted", [:]).head.contains { $0.hasPrefix("etag:") }))
    }

    @Test("Devices get the ETags of models, of their files and of their values as the server sends them")
    func devices() throws {
        let contents = FakeProbe.ok(String(repeating: "flowers ", count: 500))
        try service.makeModel("flowers", contents, isPublished: true)
        let hash = try #require(try service.info("flowers").headers["ETag"])
        let info = try get("/v1beta2/projects/project-a/models/flowers:download", device)
        #expect(info.head.contains("etag: \(hash)") && info.head.contains("content-encoding: identity"))
        let file = try get(service.link("flowers"), [:])
        #expect(file.head.contains("etag: \"\(hash)\"") && file.head.contains("content-length: \(contents.utf8.count)"))
        #expect(file.body == Data(contents.utf8))

        let values = (0..<50).map { #""key_\#($0)":{"defaultValue":{"value":"a value of some length"}}"# }
        try service.putTemplate(#"{"parameters":{\#(values.joined(separator: ","))}}"#)
        let request = "{app_instance_id:'\(TestService.fid)', app_id:'\(service.a.apiKeyRecord.appID)'}"
        let etag = try #require(try service.fetch(Array(request.utf8)).headers["ETag"])
        let fetched = try get("/v1/projects/project-a/namespaces/firebase:fetch", device, request)
        #expect(fetched.head.contains("etag: \(etag)") && fetched.head.contains("content-encoding: gzip"))
        var known = try device
        known["If-None-Match"] = etag
        let unchanged = try get("/v1/projects/project-a/namespaces/firebase:fetch", known, request)
        #expect(unchanged.head.contains("etag: \(etag)"))
        #expect(String(decoding: unchanged.body, as: UTF8.self).contains("NO_CHANGE"))
    }

    @Test("Tools get a template's ETag, however long the template is")
    func templates() throws {
        for count in [1, 100] {
            let values = (0..<count).map { #""key_\#($0)":{"defaultValue":{"value":"a value of some length"}}"# }
            try service.putTemplate(#"{"parameters":{\#(values.joined(separator: ","))}}"#)
            let etag = try #require(try service.config(.get, "remoteConfig").headers["ETag"])
            let answer = try get("/v1/projects/project-a/remoteConfig", service.bearer())
            #expect(answer.head.contains("etag: \(etag)"), "\(answer.head)")
        }
    }
}

/// A running nginx with a server behind it.
private final class CompressingProxy {
    static var program: String? { ProcessInfo.processInfo.environment["TEST_NGINX"] }

    let folder: TemporaryFolder
    let url: String
    private let server: HTTPServer
    private let nginx = Process()

    init(before handler: some RequestHandler) throws {
        folder = try TemporaryFolder()
        server = HTTPServer(
            configuration: HTTPServerConfiguration(), handler: Handler(base: handler),
            errors: HTTPFault.envelope)
        try server.start()
        let port = try BoundPort(address: "127.0.0.1", port: 0).number
        url = "http://127.0.0.1:\(port)"
        let file = folder.path + "/nginx.conf"
        try Data(configuration(port: port).utf8).write(to: URL(fileURLWithPath: file))
        nginx.executableURL = URL(fileURLWithPath: try #require(Self.program))
        nginx.arguments = ["-p", folder.path, "-c", file, "-e", folder.path + "/error.log"]
        nginx.standardError = FileHandle.nullDevice
        try nginx.run()
        try waitUntil("nginx answers") {
            guard nginx.isRunning else { throw CocoaError(.executableLoad) }
            return try !Self.curl(["-s", "-D", "-", "-o", "/dev/null", url + "/healthz"]).isEmpty
        }
    }

    deinit {
        nginx.terminate()
        nginx.waitUntilExit()
        server.stop()
    }

    private func configuration(port: UInt16) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { kind in
            "\(kind)_temp_path \(folder.path)/\(kind);"
        }
        return """
            \(geteuid() == 0 ? "user root;" : "")
            daemon off;
            pid \(folder.path)/pid;
            events { }
            http {
                access_log off;
                \(temporary.joined(separator: "\n    "))
                gzip on;
                gzip_types *;
                gzip_proxied any;
                gzip_min_length 1;
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass http://127.0.0.1:\(server.port);
                        proxy_http_version 1.1;
                    }
                }
            }
            """
    }

    /// What curl prints, whether it succeeds or not.
    static func curl(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = ["--noproxy", "*"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The service, and answers that name no coding.
    private struct Handler<Base: RequestHandler>: RequestHandler {
        let base: Base

        func plan(for head: RequestHead) -> RequestPlan {
            var answer = Response.text(String(repeating: "text ", count: 100))
            switch head.path {
            case "/quoted": answer.headers["ETag"] = "\"abc\""
            case "/unquoted": answer.headers["ETag"] = "abc"
            default: return base.plan(for: head)
            }
            return .answer(answer)
        }
    }
}
