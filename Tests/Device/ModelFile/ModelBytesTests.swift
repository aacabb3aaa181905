import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

@Suite struct ModelBytesTests {
    private let folder = try? TemporaryFolder()

    private func write(_ bytes: [UInt8], _ name: String = "m.tflite") throws -> String {
        try #require(folder).write(bytes, to: name)
    }

    private func code(_ body: () throws -> ModelBytes) -> ModelFileError.Code? {
        #expect(throws: ModelFileError.self) { _ = try body() }?.code
    }

    @Test(arguments: [1, 63, 64, 65, 4032, 4033, 4095, 4096, 4097, 100_000])
    func alignsAndPads(count: Int) throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let path = try write(content)
        for bytes in try [
            ModelBytes(copying: content), ModelBytes(contentsOfFile: path), ModelBytes(mappingImmutableFile: path),
        ] {
            #expect(bytes.count == count)
            #expect(UInt(bitPattern: bytes.baseAddress).isMultiple(of: 64))
            #expect(bytes.withUnsafeBytes { [UInt8]($0) } == content)
            let padding = UnsafeRawBufferPointer(start: bytes.baseAddress + count, count: 64)
            #expect(padding.allSatisfy { $0 == 0 })
        }
    }

    @Test func namesWhatIsWrongWithAFile() throws {
        let path = try #require(folder).path
        #expect(code { try ModelBytes(contentsOfFile: path + "/absent") } == .notFound)
        #expect(code { try ModelBytes(contentsOfFile: "") } == .notFound)
        #expect(code { try ModelBytes(contentsOfFile: path + "/m\0.tflite") } == .notFound)
        #expect(code { try ModelBytes(contentsOfFile: path) } == .unreadable)
        #expect(code { try ModelBytes(contentsOfFile: "/dev/zero") } == .unreadable)
        #expect(code { try ModelBytes(contentsOfFile: write([])) } == .empty)
        #expect(code { try ModelBytes(copying: [UInt8]()) } == .empty)
    }

    @Test func mappingNamesTheSameFaults() throws {
        let path = try #require(folder).path
        #expect(code { try ModelBytes(mappingImmutableFile: path + "/absent") } == .notFound)
        #expect(code { try ModelBytes(mappingImmutableFile: "") } == .notFound)
        #expect(code { try ModelBytes(mappingImmutableFile: path) } == .unreadable)
        #expect(code { try ModelBytes(mappingImmutableFile: "/dev/zero") } == .unreadable)
        #expect(code { try ModelBytes(mappingImmutableFile: write([])) } == .empty)
        #expect(code { try ModelBytes(mappingImmutableFile: write([1, 2]), limitBytes: 1) } == .tooLarge)
        // A filesystem of the kernel's own, whose files have no pages to map: their size is 0.
        #expect(code { try ModelBytes(mappingImmutableFile: "/proc/version") } == .empty)
    }

    @Test func aMappedFileMayBeReplacedOrDeleted() throws {
        let content = [UInt8](repeating: 7, count: 10_000)
        let path = try write(content)
        let bytes = try ModelBytes(mappingImmutableFile: path)
        #expect(rename(try write([1], "other"), path) == 0)
        #expect(unlink(path) == 0)
        #expect(bytes.withUnsafeBytes { [UInt8]($0) } == content)
    }

    @Test func mappingsAreGivenBack() throws {
        let path = try write([UInt8](repeating: 7, count: 10_000), "given_back.tflite")
        func isMapped() throws -> Bool {
            let maps = try #require(FileHandle(forReadingAtPath: "/proc/self/maps")).readToEnd()
            return String(decoding: try #require(maps), as: UTF8.self).contains("given_back.tflite")
        }
        do {
            let bytes = try ModelBytes(mappingImmutableFile: path)
            #expect(try isMapped())
            withExtendedLifetime(bytes) {}
        }
        #expect(try !isMapped())
    }

    @Test func modelsOpenFromFilesInOneLine() throws {
        let path = try write(TestModel().bytes())
        let graph = try TestModel().file().graph
        #expect(try ModelFile(contentsOfFile: path).graph == graph)
        #expect(try ModelFile(mappingImmutableFile: path).graph == graph)
        for limit in [10, TestModel().bytes().count - 1] {
            let errors = [
                #expect(throws: ModelFileError.self) { try ModelFile(contentsOfFile: path, limitBytes: limit) },
                #expect(throws: ModelFileError.self) { try ModelFile(mappingImmutableFile: path, limitBytes: limit) },
            ]
            #expect(errors.map(\.?.code) == [.tooLarge, .tooLarge])
        }
    }

    @Test func noticesAFileThatShrinksWhileItIsRead() throws {
        let descriptor = open(try write([1, 2, 3]), O_RDONLY)
        defer { close(descriptor) }
        let reader = FileReader(descriptor: descriptor, name: "the file")
        var target = [UInt8](repeating: 0, count: 4)
        let error = #expect(throws: ModelFileError.self) { try target.withUnsafeMutableBytes { try reader.fill($0) } }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("changed while it was read") == true)
    }

    @Test func doesNotHangOnANamedPipe() throws {
        let path = try #require(folder).path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(code { try ModelBytes(contentsOfFile: path) } == .unreadable)
    }

    @Test func limitIsInclusive() throws {
        let path = try write([1, 2, 3])
        #expect(try ModelBytes(contentsOfFile: path, limitBytes: 3).count == 3)
        #expect(code { try ModelBytes(contentsOfFile: path, limitBytes: 2) } == .tooLarge)
    }

    @Test func readsADescriptorFromTheStartAndLeavesItAlone() throws {
        let descriptor = open(try write([1, 2, 3, 4]), O_RDONLY)
        defer { close(descriptor) }
        #expect(lseek(descriptor, 2, SEEK_SET) == 2)
        let bytes = try ModelBytes(descriptor: descriptor)
        #expect(bytes.withUnsafeBytes { [UInt8]($0) } == [1, 2, 3, 4])
        #expect(lseek(descriptor, 0, SEEK_CUR) == 2)
        #expect(code { try ModelBytes(descriptor: descriptor, limitBytes: 3) } == .tooLarge)
        #expect(code { try ModelBytes(descriptor: -1) } == .unreadable)
    }
}
