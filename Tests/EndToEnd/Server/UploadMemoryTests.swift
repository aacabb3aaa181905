import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    @Suite struct UploadMemoryTests {
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
