import EndToEndDriving
import Foundation
import Glibc
import HearthCrypto
import HearthTestSupport
import HearthWire
import Testing

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
            let ending = try push.end(seconds: 120)
            #expect(try second.hearth("admin", "audit").output.contains(try hash()), "\(ending.errors)")
            // It is no model, which is said in the end.
            #expect(ending.exitCode == 1 && ending.errors.contains("no version was made of it"))
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
            let stopped = try push.end(seconds: 30)
            if signal == SIGINT {
                #expect(stopped.exitCode == 130 && stopped.errors.contains("--resume"), "\(stopped.errors)")
                #expect(stopped.errors.split(separator: "\n").count == 1 && stopped.errors.hasPrefix("error: "))
            }
            let ending = try self.push(server, "--resume").end(seconds: 120)
            #expect(try server.hearth("admin", "audit").output.contains(try hash()), "\(ending.errors)")
            #expect(!ending.errors.contains("starts from the beginning"))
            #expect(ending.errors.contains("are on the server; the upload goes on there."))
            let begun = server.log.split(separator: "\n").filter {
                $0.contains("POST /hearth/v1/projects/hearth-default/uploads")
            }
            #expect(begun.count == 1)
        }
    }
}
