import Dispatch
import Glibc
import HearthConcurrency
import Testing

@testable import HearthLocalCommands

@Suite struct InputLinesTests {
    private func lines(_ text: String, cancellation: Cancellation = Cancellation()) throws -> [String] {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let (writer, bytes) = (ends[1], Array(text.utf8))
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            _ = bytes.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) }
            close(writer)
        }
        defer { group.wait() }
        let lines = InputLines(descriptor: ends[0], cancellation: cancellation)
        var found: [String] = []
        while let line = lines.next() { found.append(line) }
        return found
    }

    @Test func linesComeWithoutTheirBreaks() throws {
        #expect(try lines("") == [])
        #expect(try lines("a\nb c\n\nd") == ["a", "b c", "", "d"])
        #expect(try lines("a\n") == ["a"])
    }

    @Test func manyLinesCrossTheBuffersEdges() throws {
        let paths = (0..<20_000).map { "folder/image-\($0).jpg" }
        #expect(try lines(paths.joined(separator: "\n") + "\n") == paths)
    }

    @Test func aLineWithoutEndIsCut() throws {
        let length = InputLines.maximumLine
        let parts = try lines(String(repeating: "x", count: 2 * length + 5))
        #expect(parts.map(\.utf8.count) == [length, length, 5])
    }

    /// The pipe stays open, and no process writes to it.
    @Test func cancellingEndsTheWait() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        let cancellation = Cancellation()
        let lines = InputLines(descriptor: ends[0], cancellation: cancellation)
        DispatchQueue.global().async { cancellation.cancel() }
        #expect(lines.next() == nil)
    }
}
