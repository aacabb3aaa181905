import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Versions that a real server runs in its sandbox on one image, and compares.
    @Suite struct TryTests {
        private struct Results: Decodable {
            var results: [TryBodies.Answers]
        }

        private static let detector = TestPaths.package.appendingPathComponent("Models/digits-detector").path

        @Test func twoVersionsAnswerToAnImageSideBySide() throws {
            let server = try ServerProcess()
            for bundle in [SampleModels.bundle, SampleModels.secondBundle] {
                #expect(try server.hearth("models", "push", "digits", bundle).exitCode == 0)
            }
            let ending = try server.hearth(
                "models", "try", "digits", SampleModels.image, "--version", "1", "--compare-with", "2")
            #expect(ending.exitCode == 0, "\(ending.errors)")
            #expect(ending.output.contains("VERSION 1") && ending.output.contains("VERSION 2"), "\(ending.output)")
            #expect(ending.output.contains("192 x 192 pixels"))
            #expect(ending.output.contains("images:     RGB, 32 x 32"), "\(ending.output)")
            let stated = try server.hearth("models", "try", "digits", SampleModels.image, "--channels", "bgr")
            #expect(stated.output.contains("images:     BGR, 32 x 32"), "\(stated.output) \(stated.errors)")
            let json = try server.hearth("models", "try", "digits", SampleModels.image, "--json")
            #expect(json.exitCode == 0, "\(json.errors)")
            let results = try WireJSON.decode(Results.self, from: json.output.utf8).results
            #expect(results.map(\.version) == [2], "the newest")
            #expect(results[0].answers.first?.label == "7" && results[0].answers.first?.box == nil)
            #expect(results[0].runMicroseconds > 0 && results[0].peakMemoryBytes > 1 << 20)
        }

        @Test func aDetectorAnswersWithBoxesAndAComparisonSaysWhatAppsNotice() throws {
            let server = try ServerProcess()
            for bundle in [SampleModels.bundle, Self.detector] {
                #expect(try server.hearth("models", "push", "digits", bundle).exitCode == 0)
            }
            let json = try server.hearth("models", "try", "digits", Self.detector + "/examples/ruled.jpg", "--json")
            #expect(json.exitCode == 0, "\(json.errors)")
            let result = try #require(try WireJSON.decode(Results.self, from: json.output.utf8).results.first)
            #expect(!result.answers.isEmpty)
            #expect(result.answers.allSatisfy { $0.box?.count == 4 && !$0.label.isEmpty })
            let low = try server.hearth(
                "models", "try", "digits", Self.detector + "/examples/ruled.jpg", "--threshold", "0.01", "--json")
            #expect(low.exitCode == 0, "\(low.errors)")
            let more = try #require(try WireJSON.decode(Results.self, from: low.output.utf8).results.first)
            #expect(more.answers.count > result.answers.count)
            let refused = try server.hearth("models", "try", "digits", SampleModels.image, "--threshold", "2")
            #expect(refused.exitCode != 0 && refused.errors.contains("0 to 1"), "\(refused.errors)")

            let comparison = try server.hearth("models", "compare", "digits", "1", "2")
            #expect(comparison.exitCode == 0, "\(comparison.errors)")
            for text in [
                "What an app may notice:", "number of outputs is 3, was 1", "may not fit apps written for version 1",
            ] {
                #expect(comparison.output.contains(text), "\(comparison.output)")
            }
            let same = try server.hearth("models", "compare", "digits", "1", "1")
            #expect(same.output.contains("are the same file"), "\(same.output)")
        }

        @Test func hostileImagesAreRefusedWithAReasonAndTheServerGoesOn() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle).exitCode == 0)
            let folder = try TemporaryFolder()
            let whole = try SampleModels.bytes(SampleModels.image)
            let huge: [UInt8] =
                Array("BM".utf8) + [54, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0] + [
                    0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0,
                ]
                + [1, 0, 24, 0] + Array(repeating: 0, count: 24)
            var images = [
                "empty.jpg": [], "text.jpg": Array("not an image".utf8), "huge.bmp": huge,
                "cut.png": Array(whole.prefix(whole.count / 2)), "header.png": Array(whole.prefix(8)),
                "model.jpg": try SampleModels.bytes(),
            ]
            if TestPaths.hasSharedData {
                let bad = TestPaths.shared.appendingPathComponent("images/bad").path
                for name in try FileManager.default.contentsOfDirectory(atPath: bad) {
                    images["shared-" + name] = try SampleModels.bytes(bad + "/" + name)
                }
            }
            for (name, bytes) in images {
                let file = try folder.write(bytes, to: name)
                let ending = try server.hearth("models", "try", "digits", file)
                #expect(ending.exitCode == 1 && ending.errorLines.count == 1, "\(name): \(ending.errors)")
            }
            let large = try server.hearth("models", "try", "digits", folder.path + "/huge.bmp", "--json")
            #expect(large.errors.contains("INVALID_ARGUMENT") && large.errors.contains("the limit"), "\(large.errors)")
            #expect(try server.hearth("models", "try", "digits", SampleModels.image).exitCode == 0)
            #expect(server.isRunning)
        }

        @Test func aModelThatTakesNoImagesSaysSo() throws {
            let server = try ServerProcess()
            let file = TestPaths.fixtures.appendingPathComponent("models/strings.tflite").path
            #expect(try server.hearth("models", "push", "strings", file).exitCode == 0)
            let ending = try server.hearth("models", "try", "strings", SampleModels.image)
            #expect(ending.exitCode == 1 && ending.errors.contains("does not take images"), "\(ending.errors)")
        }

        /// The clients disconnect while the server waits for the rest of their images.
        @Test func clientsThatDisconnectGiveTheirPlacesBack() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.bundle).exitCode == 0)
            let admin = try CurlAdmin(server)
            let models: ModelList = try admin.call(admin.modelsURL).decode()
            let name = try #require(models.models?.first?.name)
            let url = "\(server.url)/hearth/v1/\(name)/versions/1:try"
            var connections: [RawConnection] = []
            for _ in 0..<4 {
                let connection = try RawConnection(port: server.port)
                try connection.send(
                    """
                    POST /hearth/v1/\(name)/versions/1:try HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Authorization: Bearer \(admin.token)\r
                    Content-Length: 1000\r
                    Expect: 100-continue\r
                    \r\n
                    """.utf8)
                // The server asks for the image, so the try has its place.
                let reply = String(decoding: connection.receive() ?? [], as: UTF8.self)
                #expect(reply.hasPrefix("HTTP/1.1 100 "), "\(reply)")
                try connection.send([1, 2, 3])
                connections.append(connection)
            }
            let image = ["--data-binary", "@\(SampleModels.image)"]
            let refused = try admin.call(url, image)
            #expect(refused.status == 429 && refused.headers["retry-after"] == "2")
            connections = []
            // The client tries again after the time that the server says.
            let ending = try server.hearth("models", "try", "digits", SampleModels.image)
            #expect(ending.exitCode == 0, "\(ending.errors)")
        }
    }
}
