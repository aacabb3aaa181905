import EndToEndDriving
import Foundation
import Glibc
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// A stop finishes what has begun.
    @Suite struct GracefulStopTests {
        /// A model that no socket's buffer can hold: the sample with a long tail that any runtime ignores.
        private static let tailBytes = 24_000_000

        private func bigModel(_ folder: TemporaryFolder) throws -> (path: String, bytes: [UInt8]) {
            let bytes = try SampleModels.bytes() + [UInt8](repeating: 7, count: Self.tailBytes)
            return (try folder.write(bytes, to: "big.tflite"), bytes)
        }

        @Test func aSlowDownloadEndsWithTheRightBytes() throws {
            let server = try ServerProcess()
            let model = try bigModel(server.data)
            let admin = try CurlAdmin(server)
            try admin.push("big", model.path)
            let link = try CurlDevice(server).link("big")
            let idle = try RawConnection(port: server.port)
            let slow = try RawConnection(port: server.port)
            try slow.send("GET \(link.dropFirst(server.url.count)) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            var received = try #require(slow.receive())

            Glibc.kill(server.id, SIGTERM)
            #expect(idle.receive() == nil, "idle connections go at once")
            // The port takes connections until the process ends, and closes them unanswered.
            #expect(try RawConnection(port: server.port).receive() == nil, "nothing new is served")
            #expect(server.isRunning)
            while let chunk = slow.receive() { received += chunk }
            let end = try #require(received.firstRange(of: Array("\r\n\r\n".utf8)))
            #expect(SHA256Hasher.hash(Array(received[end.upperBound...])) == SHA256Hasher.hash(model.bytes))
            #expect(try server.ending().exitCode == 0)
        }

        @Test func aBegunUploadIsTakenAndRecorded() throws {
            let data = try TemporaryFolder()
            let server = try ServerProcess(data: data)
            let upload = try PartialUpload(server, bytes: SampleModels.bytes())
            Glibc.kill(server.id, SIGTERM)
            #expect(Deadline.wait { server.log.contains("Stopping") })
            let bytes = try SampleModels.bytes()
            try upload.connection.send(bytes.suffix(bytes.count - bytes.count / 2))
            var reply: [UInt8] = []
            while let chunk = upload.connection.receive() { reply += chunk }
            #expect(String(decoding: reply, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
            #expect(try server.ending().exitCode == 0)
            #expect(try server.storedFiles() == [SHA256Hasher.hash(bytes).hex])
        }

        /// So a load balancer sees it in time. The second signal ends the wait, and the process.
        @Test func aDrainingServerServesAndSaysThatItIsNotReady() throws {
            let server = try ServerProcess(arguments: ["--drain-seconds", "3600"])
            Glibc.kill(server.id, SIGTERM)
            func status() throws -> String {
                let ready = "GET /readyz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                return String(try RawConnection(port: server.port).exchange(ready).prefix(12))
            }
            #expect(try Deadline.wait { try status() == "HTTP/1.1 503" })
            #expect(try server.isHealthy())
            #expect(try server.terminate().exitCode == nil)
        }

        @Test func theGraceHasAnEnd() throws {
            let server = try ServerProcess(arguments: ["--stop-grace-seconds", "0.2"])
            let upload = try PartialUpload(server, bytes: SampleModels.bytes())
            #expect(try server.terminate().exitCode == 0)
            #expect(upload.connection.receive() == nil)
            #expect(try server.storedFiles().isEmpty)
        }
    }
}
