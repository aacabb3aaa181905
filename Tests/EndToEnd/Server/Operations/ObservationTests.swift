import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// What a running server tells those who watch it.
    @Suite struct ObservationTests {
        private func get(_ server: ServerProcess, _ path: String, _ fields: [String] = []) throws -> Curl.Reply {
            try Curl.call(server.url + path, fields.flatMap { ["-H", $0] })
        }

        @Test func readinessFollowsTheDataFolder() throws {
            let server = try ServerProcess()
            #expect(try get(server, "/readyz").status == 200)
            let blobs = server.data.path + "/blobs"
            let aside = server.data.path + "/aside"
            try FileManager.default.moveItem(atPath: blobs, toPath: aside)
            let reply = try get(server, "/readyz")
            #expect(reply.status == 503)
            #expect(
                String(decoding: reply.body, as: UTF8.self)
                    == "not ready: the folder 'blobs' of the data folder is gone\n")
            #expect(try get(server, "/healthz").status == 200)
            try FileManager.default.moveItem(atPath: aside, toPath: blobs)
            #expect(try get(server, "/readyz").status == 200)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: blobs) == ["folder-id"],
                "the test left nothing behind")
        }

        @Test func metricsCountByRouteAndNotByPath() throws {
            let server = try ServerProcess()
            let device = try CurlDevice(server)
            for number in 1...5 { #expect(try device.info("model-\(number)").status == 404) }
            for number in 1...5 { _ = try get(server, "/strange/\(number)") }
            let text = String(decoding: try get(server, "/metrics").body, as: UTF8.self)
            let download = #"route="v1beta2/projects/{project}/models/{model}:download""#
            #expect(text.contains("hearth_http_requests_total{\(download),method=\"GET\",status=\"4xx\"} 5\n"))
            #expect(text.contains("hearth_http_requests_total{route=\"none\",method=\"GET\",status=\"4xx\"} 5\n"))
            #expect(text.contains("hearth_http_request_duration_seconds_bucket{\(download),le=\"+Inf\"} 5\n"))
            #expect(text.contains("hearth_validation_queue_length 0\n"))
            #expect(text.contains("hearth_http_connections_open 1\n"))
            #expect(!text.contains("strange"))
        }

        /// A rule about a metric that no server has never raises an alarm.
        @Test func alertRulesNameOnlyMetricsThatTheServerHas() throws {
            let server = try ServerProcess()
            let device = try CurlDevice(server)
            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
            #expect(try device.info("digits").status == 200)
            let text = String(decoding: try get(server, "/metrics").body, as: UTF8.self)
            let rules = try String(
                contentsOf: TestPaths.package.appendingPathComponent("docs/alerts.yml"), encoding: .utf8)
            let names = Set(rules.matches(of: /hearth_[a-z_]+/).map { String($0.output) })
            #expect(names.count > 8)
            // `ServerDataTests` looks for those of a server with a shared database and store.
            let shared = names.filter {
                ($0.hasPrefix("hearth_database_") || $0.hasPrefix("hearth_model_store_")) && !$0.hasSuffix("_available")
            }
            for name in names.subtracting(shared) { #expect(text.contains("\n# TYPE \(name) "), "\(name)") }
            for name in shared { #expect(!text.contains(name), "\(name)") }
            #expect(text.contains(#"hearth_disk_free_bytes{folder="blobs"} "#))
            #expect(
                text.contains(
                    #"hearth_model_answers_total{project="hearth-default",model="digits",answer="download"} 1"#))
        }

        @Test func metricsAreNotForThoseBehindAProxy() throws {
            let server = try ServerProcess(arguments: [
                "--trusted-proxies", "127.0.0.1", "--metrics-allow", "203.0.113.0/24",
            ])
            #expect(try get(server, "/metrics").status == 403)
            #expect(try get(server, "/metrics", ["X-Forwarded-For: 127.0.0.1"]).status == 403)
            #expect(try get(server, "/metrics", ["X-Forwarded-For: 203.0.113.7, 198.51.100.1"]).status == 403)
            #expect(try get(server, "/metrics", ["X-Forwarded-For: 198.51.100.1, 203.0.113.7"]).status == 200)
        }

        @Test func linksAndLogNameTheClientThatAProxyTellsOf() throws {
            let server = try ServerProcess(
                arguments: ["--trusted-proxies", "127.0.0.1", "--log-format", "json"],
                greetingEnds: "GoogleService-Info.plist\"}\n")
            let admin = try CurlAdmin(server)
            let device = try CurlDevice(server)
            try admin.push("digits", SampleModels.file)
            let fields = [
                "X-Forwarded-For: 127.0.0.1, 203.0.113.7", "X-Forwarded-Host: models.example",
                "X-Forwarded-Proto: https",
            ]
            let info = try device.info("digits", fields.flatMap { ["-H", $0] })
            #expect(try info.decode(DownloadInfo.self).downloadUri.hasPrefix("https://models.example/hearth/"))
            #expect(try server.terminate().exitCode == 0)
            let entries = try server.log.split(separator: "\n").filter { $0.hasPrefix("{") }.map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let entry = try #require(
                entries.first { ($0["route"] as? String)?.hasSuffix(":download") == true })
            #expect(entry["client"] as? String == "203.0.113.7")
            #expect(entry["status"] as? Int == 200)
            #expect(entry["complete"] as? Bool == true)
            #expect(entries.contains { ($0["actor"] as? String) == admin.key.clientEmail })
            #expect(server.log.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
            // Not always the last line: the line of a request that just ended may follow it.
            #expect(entries.contains { ($0["message"] as? String) == "Stopping (SIGTERM)." })
        }
    }
}
