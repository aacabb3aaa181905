import Foundation
import HearthHTTP
import HearthTestSupport
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("The calls of the pages' own scripts") struct ScriptCallTests {
    private static let folder = TestPaths.package.appendingPathComponent("Sources/Server/Console/Assets/Files")

    /// The text of each script, by its name.
    private func texts() throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        return try Dictionary(
            uniqueKeysWithValues: files.filter { $0.pathExtension == "js" }.map {
                ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
            })
    }

    /// The calls of the server, with `{}` for each name of a path. The server makes its description of the table of calls.
    private func calls() throws -> Set<Script.Call> {
        let paths = try ConsoleFixture().service.call(.get, "/hearth/v1/openapi.json").object["paths"]
        let methods = try #require(paths as? [String: [String: Any]])
        return Set(
            methods.flatMap { path, methods in
                methods.keys.map {
                    Script.Call(method: $0.uppercased(), path: path.replacing(/\{[^}]*\}/, with: "{}"))
                }
            })
    }

    private func isCall(_ call: Script.Call, in table: Set<Script.Call>) -> Bool {
        guard let start = call.path.firstRange(of: "{+}") else { return table.contains(call) }
        // A name in an answer is a path of its own. Which one is not known here.
        let (before, after) = (call.path[..<start.lowerBound], call.path[start.upperBound...])
        return table.contains {
            $0.method == call.method && $0.path.hasPrefix(before) && $0.path.hasSuffix(after)
                && $0.path.count > before.count + after.count
        }
    }

    @Test("Each path and method that a script calls is that of a call")
    func scripts() throws {
        let (texts, table) = (try texts(), try calls())
        var all: Set<Script.Call> = []
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            let script = Script(text, others: texts.filter { $0.key != name }.map(\.value).sorted())
            let (found, unknown) = script.calls()
            #expect(unknown.isEmpty, "\(name) makes calls whose path this test cannot read")
            // Not in the expectation, which would print the whole table.
            let wrong = found.filter { !isCall($0, in: table) }
            #expect(wrong.isEmpty, "\(name): no call is \(wrong.sorted())")
            all.formUnion(found)
        }
        let paths = all.map { $0.path }
        for (name, text) in texts {
            for path in Script(text).spelled {
                #expect(paths.contains { $0.hasPrefix(path) }, "\(name): \(path) is spelled, but not seen in a call")
            }
        }
        // So that a script in another style does not pass because this test sees nothing of it.
        #expect(all.count >= 13, "\(all.sorted())")
    }

    @Test("A path, a verb or a method that no call has is found, in each of the ways in which scripts call")
    func mistakes() throws {
        let table = try calls()
        let root = "const models = `/hearth/v1/projects/${project}/models`;\n"
        let good = [
            "call(\"GET\", `${models}/${id}/versions?contracts=false`)",
            "const of = (id) => `${models}/${id}/versions`;\ncall(\"GET\", `${of(id)}/${version.version}`)",
            "fetch(callAddress(`${models}/${m}/versions/${v}:try?threshold=0.01`), {\n  method: \"POST\", body,\n});",
            "fetch(callAddress(`${models}/${m}/images/${encodeURIComponent(image)}${query}`));",
            "const post = (path, body) => call(\"POST\", path, body);\npost(`${models}/${id}/versions`, body);",
            "function put(address, body) {\n  request.open(\"PUT\", callAddress(address));\n}\n"
                + "put(`${models}/${id}/images/${image}`, body);",
        ]
        let mistakes = [
            ("models`;", "modells`;"), ("images", "image"), ("\"POST\"", "\"PATCH\""), (":try", ":run"),
        ]
        for text in good {
            let (found, unknown) = Script(root + text).calls()
            let wrong = found.filter { !isCall($0, in: table) }
            #expect(found.count == 1 && wrong.isEmpty && unknown.isEmpty, "\(text)")
            for (right, mistake) in mistakes where (root + text).contains(right) {
                let found = Script((root + text).replacing(right, with: mistake)).calls().found
                let wrong = found.filter { !isCall($0, in: table) }
                #expect(found.count == 1 && wrong == found, "\(text) with \(mistake)")
            }
        }
        #expect(Script("call(\"GET\", models + id)").calls().unknown == ["GET models + id"])
        #expect(Script("fetch(callAddress(addresses.models))").calls().unknown == ["GET addresses.models"])
        #expect(Script("fetch(`/hearth/v1/projects/${p}`)").calls().unknown == ["fetch `/hearth/v1/projects/${p}`"])
    }
}
