import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthFiles
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthEvents

@Suite("The journal of events")
struct JournalTests {
    private static let id = "c" + String(repeating: "A", count: 21)
    private let temporary: TemporaryFolder
    private var folder: JournalFolder { JournalFolder(path: temporary.path + "/events", files: DiskFiles()) }

    init() throws { temporary = try TemporaryFolder() }

    private func entry(_ name: String) -> Journal.Entry {
        Journal.Entry(time: Timestamp(seconds: 1_767_225_600), content: .event(.init(name: name)))
    }

    private func journal(_ folder: JournalFolder, seconds: Int64 = 1_767_225_600) -> Journal {
        Journal(folder, now: Timestamp(seconds: seconds))
    }

    private func names(_ folder: JournalFolder) throws -> [String] {
        try folder.sealed().flatMap { try folder.read($0)?.items.compactMap(\.event?.name) ?? [] }
    }

    @Test("A file that is cut anywhere contains all whole items before the cut, and counts as undamaged")
    func torn() throws {
        let items = ["a", "b", "c"].enumerated().map { index, name in
            EventBodies.Item(sequence: Int64(index + 1), time: "2026-01-01T00:00:00.000Z", event: .init(name: name))
        }
        let lines = try items.map { try #require(JournalLine.bytes($0)) }
        let whole = lines.flatMap(\.self)
        for count in 0...whole.count {
            let contents = JournalLine.contents(Array(whole.prefix(count)))
            var end = 0
            let expected = lines.prefix {
                end += $0.count; return end <= count
            }.count
            #expect(contents == JournalLine.Contents(items: Array(items.prefix(expected))), "\(count) bytes")
        }
    }

    @Test("A changed bit anywhere costs its item and the following ones, and is noticed")
    func damaged() throws {
        let items = ["a", "b"].enumerated().map { index, name in
            EventBodies.Item(sequence: Int64(index + 1), time: "2026-01-01T00:00:00.000Z", event: .init(name: name))
        }
        let first = try #require(JournalLine.bytes(items[0]))
        let whole = try first + #require(JournalLine.bytes(items[1]))
        for position in 0..<(whole.count - 1) {
            var bytes = whole
            bytes[position] ^= 0x10
            let contents = JournalLine.contents(bytes)
            #expect(contents.isDamaged, "\(position)")
            #expect(contents.items == (position < first.count ? [] : [items[0]]), "\(position)")
        }
    }

    @Test(
        "A file that is not a journal has no items",
        arguments: ["\n", "zz\n", "00000000 {}\n", String(repeating: "\n", count: 10_000), "é\u{0}\n"])
    func strange(text: String) {
        #expect(JournalLine.contents(Array(text.utf8)) == JournalLine.Contents(items: [], isDamaged: true))
    }

    @Test("Damage costs only the items after it in its file: the others are sent, and no file is left")
    func damagedFile() async throws {
        let device = try TestDevice()
        let analytics = device.analytics()
        let id = try #require(analytics.appInstanceID())
        let folder = JournalFolder(app: analytics.app)
        for (index, name) in ["one", "two"].enumerated() {
            var journal = journal(folder, seconds: Int64(index))
            _ = try journal.append([entry(name), entry(name + "_more")], of: id)
        }
        let path = folder.path(try #require(try folder.names().first))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.count - 10] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
        try Data("no segment".utf8).write(to: URL(fileURLWithPath: folder.path + "/notes.events"))
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["one", "two", "two_more"])
        #expect(try folder.names().isEmpty)
        await device.stop(analytics)
    }

    @Test(
        "After a power loss at any moment, each file begins with whole items, including those that were written durably"
    )
    func powerLoss() throws {
        let recording = RecordingFiles(root: temporary.path)
        let recorded = JournalFolder(path: temporary.path + "/events", files: recording)
        var journal = journal(recorded)
        _ = try journal.append([entry("a"), entry("b")], of: Self.id)
        _ = try journal.append([entry("c")], of: Self.id, durably: true)
        recording.note("kept")
        _ = try journal.append([entry("d")], of: Self.id)
        journal.seal()
        _ = try journal.append([entry("e")], of: Self.id, durably: true)
        recording.note("kept too")
        journal.seal()
        let count = try CrashReplay(recording).forEachState { state in
            let folder = JournalFolder(path: state.folder + "/events", files: DiskFiles())
            let found = try names(folder)
            let sure = state.notes.contains("kept too") ? ["a", "b", "c", "e"] : ["a", "b", "c"]
            if !state.notes.isEmpty { #expect(Set(found).isSuperset(of: sure), "\(state)") }
            #expect(found == ["a", "b", "c", "d", "e"].filter(found.contains), "\(state)")
        }
        #expect(count > 10)
    }

    @Test("A process that was killed between making a file and writing it leaves nothing to send")
    func emptyFile() throws {
        var journal = journal(folder)
        _ = try journal.append([], of: Self.id)
        #expect(try folder.names().isEmpty)
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let name = SegmentName(began: 1, journal: SegmentName.newJournal(), installation: Self.id, first: 1)
        #expect(FileManager.default.createFile(atPath: folder.path(name), contents: nil))
        #expect(try folder.sealed().isEmpty)
        #expect(try folder.names().isEmpty)
    }

    @Test("A file that is erased during the sending is not an error")
    func erasedMeanwhile() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let name = SegmentName(began: 1, journal: SegmentName.newJournal(), installation: Self.id, first: 1)
        #expect(FileManager.default.createFile(atPath: folder.path(name), contents: nil))
        let disk = FailingFiles { step in
            if case .remove(let path) = step { try? FileManager.default.removeItem(atPath: path) }
            return nil
        }
        #expect(try JournalFolder(path: folder.path, files: disk).sealed().isEmpty)
    }

    @Test("A full disk costs the items that did not fit, and later items have higher numbers")
    func fullDisk() throws {
        let disk = FailingFiles()
        let full = JournalFolder(path: folder.path, files: disk)
        var journal = journal(full)
        _ = try journal.append([entry("a")], of: Self.id)
        disk.limitSpace(20)
        #expect(throws: FileError.self) { _ = try journal.append([entry("lost")], of: Self.id) }
        disk.limitSpace(.max)
        _ = try journal.append([entry("b")], of: Self.id)
        journal.seal()
        #expect(try names(folder) == ["a", "b"])
        let numbers = try folder.sealed().flatMap { try folder.read($0)?.items.map(\.sequence) ?? [] }
        #expect(numbers == numbers.sorted() && Set(numbers).count == 2)
    }

    @Test("Above 2 MiB the oldest segments are removed and counted; one that is being written stays")
    func bounded() throws {
        let model = String(repeating: "m", count: 200)
        let entry = Journal.Entry(
            time: Timestamp(seconds: 0), content: .event(.init(name: "e", value: 1, model: model)))
        var old = journal(folder, seconds: 1)
        _ = try old.append([entry], of: Self.id)
        var written = 1
        var lost = 0
        var journal = journal(folder, seconds: 2)
        for _ in 0..<40 {
            lost += try journal.append(Array(repeating: entry, count: 250), of: Self.id)
            written += 250
        }
        let sizes = try folder.names().compactMap { try DiskFiles().size(folder.path($0)) }
        #expect(sizes.reduce(0, +) < 3 << 20)
        #expect(sizes.reduce(0, +) > 1 << 20)
        #expect(lost > 0)
        #expect(try folder.names().first?.began == 1_000_000, "another process holds it")
        journal.seal()
        old.seal()
        #expect(try names(folder).count == written - lost)
        let numbers = try folder.sealed().flatMap { try folder.read($0)?.items.map(\.sequence) ?? [] }
        #expect(numbers.last == Int64(written - 1), "the newest are kept")
    }

    @Test("Many starts without a connection do not fill the folder")
    func manyStarts() throws {
        var folder = folder
        folder.limits.segments = 20
        for count in 0..<30 {
            var journal = journal(folder, seconds: Int64(count))
            _ = try journal.append([entry("e\(count)")], of: Self.id)
        }
        let found = try names(folder)
        #expect(found == (10..<30).map { "e\($0)" })
    }

    @Test("Segment files sort in the order in which the server must get them, and other files are ignored")
    func segmentNames() throws {
        let journal = SegmentName.newJournal()
        let name = SegmentName(began: 1_767_225_600_000_000, journal: journal, installation: Self.id, first: 501)
        #expect(SegmentName(name.fileName) == name)
        #expect(name < SegmentName(began: name.began, journal: journal, installation: Self.id, first: 1002))
        #expect(SegmentName(began: 5, journal: journal, installation: Self.id, first: 9999) < name)
        #expect(SegmentName(began: -1, journal: journal, installation: Self.id, first: 1).began == 0)
        for wrong in [
            "", "sending.lock", "exposures.json", name.fileName + ".new-1", "x" + name.fileName,
            name.fileName.replacingOccurrences(of: journal, with: "../" + journal.dropFirst(3)),
            name.fileName.replacingOccurrences(of: "501", with: "-01"),
        ] {
            #expect(SegmentName(wrong) == nil, "\(wrong)")
        }
    }
}
