import EndToEndDriving
import Foundation
import Glibc
import HearthCalls
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Uploads that break off and go on, with what `curl` sends over real connections.
    @Suite struct ResumableUploadTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func begin(_ admin: CurlAdmin) throws -> String {
            let reply = try admin.call(
                "\(admin.server.url)/hearth/v1/projects/\(admin.key.projectID)/uploads?name=m.tflite&resumable=true",
                ["-X", "POST"])
            #expect(reply.status == 201)
            return try #require(reply.headers["location"])
        }

        /// The number of bytes that the server has; the number of all of them when the upload is complete.
        private func question(_ admin: CurlAdmin, _ address: String, complete: Int) throws -> Int {
            let reply = try admin.call(
                address, ["-X", "PUT", "-H", "Content-Range: bytes */*", "-H", "Content-Length: 0"])
            if reply.status == 200 { return complete }
            #expect(reply.status == 308)
            guard let range = reply.headers["range"] else { return 0 }
            return try #require(Int(range.dropFirst("bytes=0-".count))) + 1
        }

        private func send(_ admin: CurlAdmin, _ address: String, _ bytes: ArraySlice<UInt8>, of total: Int) throws
            -> Curl.Reply
        {
            let file = try folder.write(Array(bytes), to: "part")
            let range = "bytes \(bytes.startIndex)-\(bytes.endIndex - 1)/\(total)"
            return try admin.call(address, ["-H", "Content-Range: \(range)", "-T", file])
        }

        @Test func wholeFileInOnePut() throws {
            let admin = try CurlAdmin(try ServerProcess())
            let reply = try admin.call(try begin(admin), ["-T", SampleModels.file])
            #expect(reply.status == 200)
            #expect(try reply.decode(UploadResource.self).sha256 == SHA256Hasher.hash(SampleModels.bytes()).hex)
        }

        /// What was acknowledged survives SIGKILL at each part; a part that was not acknowledged may be sent again.
        @Test func killedBetweenAndDuringParts() throws {
            let data = try TemporaryFolder()
            let bytes = try SampleModels.bytes()
            var server = try ServerProcess(data: data)
            var admin = try CurlAdmin(server)
            let address = try begin(admin)
            let path = String(address.dropFirst(server.url.count))
            let third = bytes.count / 3
            for part in [bytes[..<third], bytes[third..<2 * third]] {
                #expect(try send(admin, server.url + path, part, of: bytes.count).status == 308)
                let half = try HalfPart(admin, path, bytes[part.endIndex...], of: bytes.count)
                try server.kill()
                #expect(half.connection.receive() == nil)
                server = try ServerProcess(data: data)
                admin = try CurlAdmin(server)
                #expect(try question(admin, server.url + path, complete: bytes.count) == part.endIndex)
            }
            let last = try send(admin, server.url + path, bytes[(2 * third)...], of: bytes.count)
            #expect(last.status == 200)
            let hash = SHA256Hasher.hash(bytes).hex
            #expect(try last.decode(UploadResource.self).sha256 == hash)
            #expect(try server.storedFiles() == [hash])
            #expect(try question(admin, server.url + path, complete: bytes.count) == bytes.count)
        }

        /// A refusal is read although the body was not.
        @Test func refusalsBeforeTheBody() throws {
            let admin = try CurlAdmin(try ServerProcess())
            let address = try begin(admin)
            let large = try folder.write([UInt8](repeating: 1, count: 3_000_000), to: "large")
            let gap = try admin.call(address, ["-H", "Content-Range: bytes 5-3000004/*", "-T", large])
            #expect(gap.status == 400)
            #expect(try gap.error().message.contains("continue at byte 0"))
            let nobody = try Curl.call(address, ["-T", large])
            #expect(nobody.status == 401)
            #expect(try question(admin, address, complete: 0) == 0)
        }
    }
}

/// A part of an upload of which half has arrived.
private struct HalfPart {
    let connection: RawConnection

    /// Returns when the server has written all that was sent.
    init(_ admin: CurlAdmin, _ path: String, _ bytes: ArraySlice<UInt8>, of total: Int) throws {
        connection = try RawConnection(port: admin.server.port)
        try connection.send(
            """
            PUT \(path) HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(admin.token)\r
            Content-Range: bytes \(bytes.startIndex)-\(bytes.endIndex - 1)/\(total)\r
            Content-Length: \(bytes.count)\r
            \r\n
            """.utf8)
        let half = bytes.count / 2
        try connection.send(bytes.prefix(half))
        let blobs = admin.server.data.path + "/blobs"
        let arrived = try Deadline.wait {
            let sizes = try admin.server.storedFiles().filter { $0.hasPrefix("growing-") }.map { name in
                try FileManager.default.attributesOfItem(atPath: blobs + "/" + name)[.size] as? Int
            }
            return sizes == [bytes.startIndex + half]
        }
        try #require(arrived)
    }
}

extension EndToEndSuites {
    /// Large files, a server that dies, and a program that does.
    @Suite struct ResumedPushTests {
        private let folder: TemporaryFolder
        private let file: String

        /// No model, as a real one of this size does not come with the package: its upload is what is tested.
        init() throws {
            folder = try TemporaryFolder()
            file = folder.path + "/large.bin"
            var generator = SplitMix64(seed: 7)
            let block = (0..<(1 << 16)).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            let handle = try #require(FileHandle(forWritingAtPath: file))
            for number in UInt8(0)..<192 {
                try handle.write(contentsOf: Data([number] + block.dropFirst()))
            }
            try handle.close()
        }

        private func push(_ server: ServerProcess, _ more: String...) throws -> RunningProgram {
            try RunningProgram(
                HearthProgram.path(), ["models", "push", "large", file] + more,
                environment: ["HEARTH_CREDENTIALS": server.adminFile, "XDG_CACHE_HOME": folder.path + "/cache"])
        }

        /// Waits until the server has some of the file.
        private func waitForPart(_ server: ServerProcess) throws {
            let deadline = Deadline(seconds: 60)
            while try server.storedBytes() < 16 << 20 {
                #expect(deadline.secondsLeft > 0)
                guard deadline.secondsLeft > 0 else { return }
                usleep(1000)
            }
        }

        private func hash() throws -> String {
            SHA256Hasher.hash(try Data(contentsOf: URL(fileURLWithPath: file), options: .alwaysMapped)).hex
        }

        @Test func aPushOutlivesItsServer() throws {
            let first = try ServerProcess()
            let push = try push(first)
            try waitForPart(first)
            #expect(push.isRunning)
            try first.kill()
            let second = try ServerProcess(data: first.data, arguments: ["--port", "\(first.port)"])
            let ending = try push.waitForExit(seconds: 120)
            #expect(try second.hearth("admin", "audit").output.contains(try hash()), "\(ending.errors)")
            // It is no model, which is said in the end.
            #expect(ending.exitCode == 1 && ending.errors.contains("so the server made no version"))
            #expect(
                second.log.contains("PUT ") && !second.log.contains("POST /hearth/v1/projects/hearth-default/uploads"))
        }

        @Test(arguments: [SIGKILL, SIGINT])
        func anotherRunGoesOnWhereOneWasStopped(signal: Int32) throws {
            let server = try ServerProcess()
            let push = try push(server)
            try waitForPart(server)
            #expect(push.isRunning)
            push.send(signal)
            let stopped = try push.waitForExit(seconds: 30)
            if signal == SIGINT {
                #expect(stopped.exitCode == 130 && stopped.errors.contains("--resume"), "\(stopped.errors)")
                #expect(stopped.errors.split(separator: "\n").count == 1 && stopped.errors.hasPrefix("error: "))
            }
            let ending = try self.push(server, "--resume").waitForExit(seconds: 120)
            #expect(try server.hearth("admin", "audit").output.contains(try hash()), "\(ending.errors)")
            #expect(!ending.errors.contains("starts from the beginning"))
            #expect(ending.errors.contains("are on the server; the upload continues from there."))
            let begun = server.log.split(separator: "\n").filter {
                $0.contains("POST /hearth/v1/projects/hearth-default/uploads")
            }
            #expect(begun.count == 1)
        }
    }
}

extension EndToEndSuites {
    @Suite struct UploadRAMTests {
        /// A file goes to the disk while it arrives: the server's memory does not grow with it.
        @Test func aLargeUploadTakesNoMemory() throws {
            let server = try ServerProcess()
            let admin = try CurlAdmin(server)
            // Whatever the first upload needs once.
            #expect(try admin.upload(SampleModels.file).status == 200)
            let size = 200_000_000
            let file = server.data.path + "/large.tflite"
            #expect(FileManager.default.createFile(atPath: file, contents: nil))
            #expect(truncate(file, size) == 0)

            let before = try peakBytes(server.id)
            let reply = try admin.upload(file, name: "large.tflite")
            let grown = try peakBytes(server.id) - before

            #expect(reply.status == 200)
            let upload = try reply.decode(UploadResource.self)
            #expect(upload.sizeBytes == String(size))
            #expect(upload.validationError != nil)
            #expect(grown < 16 << 20, "the peak grew by \(grown) bytes")
            #expect(try server.isHealthy())
        }

        /// The most memory that the process ever had resident.
        private func peakBytes(_ process: pid_t) throws -> Int {
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
            return try #require(line.split(separator: " ").dropLast().last.flatMap { Int($0) }) * 1024
        }
    }
}
