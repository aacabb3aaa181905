import Dispatch
import EndToEndDriving
import Foundation
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthWire
import Synchronization
import Testing

extension EndToEndSuites {
    /// The admin's and the device's commands against a running server.
    @Suite struct CommandTests {
        private let server: ServerProcess

        init() throws { server = try ServerProcess() }

        private func json<Value: Decodable>(_ type: Value.Type, _ arguments: String...) throws -> Value {
            let ending = try server.hearth(arguments + ["--json"])
            #expect(ending.exitCode == 0)
            #expect(ending.errors.isEmpty)
            return try WireJSON.decode(type, from: ending.output.utf8)
        }

        private struct Pulled: Decodable {
            var path: String
            var sha256: String
            var size: Int
        }

        private struct Labeled: Decodable {
            struct Label: Decodable {
                var text: String
                var confidence: Float
                var index: Int
            }
            var image: String
            var labels: [Label]
        }

        private static func sha256(_ path: String) throws -> String {
            SHA256Hasher.hash(try Data(contentsOf: URL(fileURLWithPath: path))).hex
        }

        @Test func pushesOfFilesWithOneNameDoNotMixThem() throws {
            let folder = try TemporaryFolder()
            let sources = try ["Models/digits-labeler", "Models/digits-labeler-2"].enumerated().map { index, bundle in
                let bytes = try Data(
                    contentsOf: TestPaths.package.appendingPathComponent(bundle + "/model.tflite"))
                return (try folder.write(bytes, to: "\(index)/model.tflite"), SHA256Hasher.hash(bytes).hex)
            }
            // `hearth` only reads the server's address and folders, which never change.
            nonisolated(unsafe) let server = server
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                let (path, hash) = sources[number % 2]
                let ending = try? server.hearth(["models", "push", "model-\(number)", path, "--publish", "--json"])
                let model = ending.flatMap { try? WireJSON.decode(ModelResource.self, from: $0.output.utf8) }
                if model?.modelHash != hash || model?.hearth?.releasedVersion != 1 {
                    failures.withLock { $0.append(ending?.errors ?? "not run") }
                }
            }
            #expect(failures.withLock { $0 } == [])
        }

        @Test func aPlainModelIsUploadedAsItIsAndItsLabelsMayBePackedIn() throws {
            let folder = try TemporaryFolder()
            for name in ["model.tflite", "dict.txt"] {
                let file = TestPaths.package.appendingPathComponent("Models/digits-labeler/" + name)
                _ = try folder.write(try Data(contentsOf: file), to: name)
            }
            let file = folder.path + "/model.tflite"
            let plain = try server.hearth("models", "push", "plain", file)
            #expect(plain.output.contains(try Self.sha256(file)))
            #expect(plain.errors.contains("the label file beside it is not part of this model"))

            let packed = folder.path + "/packed.tflite"
            #expect(try server.hearth("pack", file, "-o", packed).exitCode == 0)
            let push = try server.hearth("models", "push", "packed", packed, "--publish")
            #expect(push.exitCode == 0 && push.errors.isEmpty)
            let picture = TestPaths.package.appendingPathComponent("Models/digits-labeler/examples/7-a.png").path
            #expect(try json(Labeled.self, "label", "packed", picture).labels.first?.text == "7")
        }

        @Test func theSameFileAgainIsNothingNew() throws {
            #expect(try server.hearth("models", "push", "same", SampleModels.file).output.contains("version 1"))
            let again = try server.hearth("models", "push", "same", SampleModels.file)
            #expect(again.exitCode == 0 && again.output.contains("Nothing new"))
        }

        @Test func theLifeOfAModel() throws {
            #expect(try json(ModelList.self, "models", "list").models ?? [] == [])

            let pushed = try json(ModelResource.self, "models", "push", "digits", SampleModels.file)
            #expect(pushed.hearth?.version == 1)
            #expect(pushed.state?.published == nil)
            #expect(pushed.modelHash == (try Self.sha256(SampleModels.file)))
            #expect(try server.hearth("pull", "digits").exitCode == 1)

            let published = try json(ModelResource.self, "models", "publish", "digits")
            #expect(published.state?.published == true)
            let pulled = try json(Pulled.self, "pull", "digits")
            #expect(pulled.sha256 == pushed.modelHash)
            #expect(try Self.sha256(pulled.path) == pushed.modelHash)

            // New bytes alone change nothing for devices.
            let second = try json(ModelResource.self, "models", "push", "digits", SampleModels.secondFile)
            #expect(second.hearth?.version == 2 && second.hearth?.releasedVersion == 1)
            #expect(try json(Pulled.self, "pull", "digits").sha256 == pushed.modelHash)
            #expect(try json(ModelResource.self, "models", "publish", "digits").hearth?.releasedVersion == 2)
            #expect(try json(Pulled.self, "pull", "digits").sha256 == (try Self.sha256(SampleModels.secondFile)))

            #expect(try json(ModelList.self, "models", "list").models?.map(\.displayName) == ["digits"])
            #expect(try json(ModelResource.self, "models", "show", "digits").hearth?.contract?.inputs.count == 1)

            #expect(try json(ModelResource.self, "models", "unpublish", "digits", "--yes").state?.published == nil)
            #expect(try server.hearth("pull", "digits").exitCode == 1)
            #expect(try json([String: String].self, "models", "delete", "digits", "--yes") == ["deleted": "digits"])
            #expect(try json(ModelList.self, "models", "list").models ?? [] == [])
            #expect(try server.hearth("models", "show", "digits").exitCode == 1)
        }

        @Test func theTextFormsSayWhatHappened() throws {
            #expect(try server.hearth("models", "list").output.contains("There are no models"))
            let pushed = try server.hearth("models", "push", "digits", SampleModels.bundle)
            #expect(pushed.output.contains("Pushed 'digits' version 1"))
            #expect(pushed.output.contains("hearth models publish digits"))
            #expect(try server.hearth("models", "publish", "digits").output == "Published 'digits' version 1.\n")
            #expect(try server.hearth("models", "list").output.contains("digits"))
            #expect(try server.hearth("models", "show", "digits").output.contains("published:  version 1"))
            let copy = server.data.path + "/copy.tflite"
            #expect(try server.hearth("pull", "digits", "--output", copy).output == copy + "\n")
            #expect(try server.hearth("label", copy, SampleModels.image).output.contains(" 7\n"))
            #expect(try server.hearth("models", "unpublish", "digits", "--yes").output == "Unpublished 'digits'.\n")
            #expect(try server.hearth("models", "delete", "digits", "--yes").output == "Deleted 'digits'.\n")
        }

        @Test func labelsByNameAlsoWithoutTheServer() throws {
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle, "--publish").exitCode == 0)
            let online = try json(Labeled.self, "label", "digits", SampleModels.image)
            #expect(online.image == SampleModels.image)
            #expect(online.labels.first?.text == "7")
            #expect(try server.terminate().exitCode == 0)
            let offline = try server.hearth("label", "digits", SampleModels.image, "--json")
            #expect(offline.exitCode == 0)
            let result = try WireJSON.decode(Labeled.self, from: offline.output.utf8)
            #expect(result.labels.first?.text == "7")
            #expect(offline.errors.contains("the copy on this device"))
        }

        @Test func failuresAreOneLineAndExitCodeOne() throws {
            let none = server.data.path + "/none"
            let cases: [[String]] = [
                ["models", "show", "none"], ["models", "publish", "none"], ["models", "unpublish", "none"],
                ["models", "delete", "none"], ["models", "push", "x", none], ["pull", "none"],
                ["label", none, SampleModels.image], ["label", SampleModels.bundle, none], ["inspect", none],
                ["pack", none], ["models", "list", "--credentials", none], ["pull", "x", "--app-config", none],
                ["models", "list", "--credentials", server.deviceFile],
                ["pull", "x", "--app-config", server.adminFile],
            ]
            for arguments in cases {
                let ending = try server.hearth(arguments)
                #expect(ending.exitCode == 1, "\(arguments)")
                #expect(ending.output.isEmpty, "\(arguments)")
                #expect(ending.errorLines.count == 1 && ending.errors.split(separator: "\n").count == 1, "\(arguments)")
            }
        }

        @Test func errorsForProgramsHaveACode() throws {
            func code(_ arguments: String...) throws -> String? {
                let ending = try server.hearth(arguments + ["--json"])
                #expect(ending.exitCode == 1 && ending.output.isEmpty, "\(arguments)")
                return try WireJSON.decode([String: [String: String]].self, from: ending.errors.utf8)["error"]?["code"]
            }
            #expect(try code("pull", "none") == "NOT_FOUND")
            #expect(try code("models", "show", "none") == "NOT_FOUND")
            #expect(try code("projects", "show", "no-such-project") == "NOT_FOUND")
            #expect(try code("pack", server.data.path + "/none") == "FAILED")
            let template = server.data.path + "/template.json"
            try Data("{}".utf8).write(to: URL(fileURLWithPath: template))
            let isStale = try code("remoteconfig", "put", template, "--if-version", "99")
            #expect(isStale == "FAILED_PRECONDITION", "the server's code, although the command has a text of its own")
        }

        @Test func wrongUsageIsExitCodeTwo() throws {
            let cases: [[String]] = [
                ["models", "push", "digits"], ["models", "push", "a name", SampleModels.file], ["models", "nothing"],
                ["label", SampleModels.bundle], ["label", SampleModels.bundle, "x.png", "--max", "0"],
                ["label", SampleModels.bundle, "x.png", "--threshold", "2"], ["serve", "--port", "70000"],
                ["serve", "--tls-key", "x"], ["nonsense"], ["releases", "create", "m", "--share", "10"],
                ["releases", "set", "m"], ["models", "push", "m", SampleModels.file, "--publish", "--share", "10%"],
                ["keys", "account", "create", "ci"], ["projects", "create", "second-one"],
                ["models", "list", "--limit", "0"], ["models", "list", "--credentials", "a", "--token-file", "b"],
                ["detect", SampleModels.bundle],
                ["detect", "m", "x.png", "--max", "0"], ["label", "m", "x.png", "--region", "1,2,3"],
                ["label", "m", "x.png", "--jobs", "0"],
            ]
            for arguments in cases {
                let ending = try server.hearth(arguments)
                #expect(ending.exitCode == 2, "\(arguments)")
                #expect(ending.errorLines.count == 1, "\(arguments)")
            }
        }

        @Test func helpOnEveryLevel() throws {
            for command in [
                [], ["serve"], ["models"], ["models", "push"], ["models", "list"], ["models", "show"],
                ["models", "publish"], ["models", "unpublish"], ["models", "delete"], ["models", "versions"],
                ["models", "tag"], ["models", "rename"], ["models", "set"], ["releases"], ["releases", "create"],
                ["releases", "set"], ["releases", "rollback"], ["keys"], ["keys", "api", "rotate"],
                ["keys", "account", "create"], ["keys", "token", "create"], ["projects", "create"],
                ["admin", "audit"], ["pack"], ["pull"], ["label"],
                ["detect"], ["inspect"], ["bench"], ["demo"],
            ] {
                let ending = try server.hearth(command + ["--help"])
                #expect(ending.exitCode == 0, "\(command)")
                #expect(ending.output.contains("USAGE: hearth"), "\(command)")
            }
        }

        @Test func aServerThatIsAwayIsOneLine() throws {
            #expect(try server.terminate().exitCode == 0)
            let port = try ClosedPort(server.port)
            defer { withExtendedLifetime(port) {} }
            for arguments in [["models", "list"], ["models", "push", "x", SampleModels.file], ["pull", "digits"]] {
                let ending = try server.hearth(arguments)
                #expect(ending.exitCode == 1, "\(arguments)")
                #expect(ending.errors.split(separator: "\n").count == 1 && ending.errorLines.count == 1, "\(arguments)")
                // Made for people: who is away, and no dump of an error object.
                let line = try #require(ending.errorLines.first)
                #expect(
                    line.contains("127.0.0.1") && line.contains("does not accept connections"), "\(arguments): \(line)")
                #expect(!line.contains("Error Domain") && !line.contains("UserInfo"), "\(arguments)")
            }
        }

        @Test func credentialsOfAnotherServerAreRefused() throws {
            let other = try ServerProcess()
            var key = try other.adminKey()
            key.setHearthURL(server.url)
            let file = try server.data.write(WireJSON.encode(key), to: "other.json")
            let ending = try server.hearth("models", "list", "--credentials", file)
            #expect(ending.exitCode == 1)
            #expect(ending.errorLines.first?.contains("refused the credentials") == true)
        }
    }
}
