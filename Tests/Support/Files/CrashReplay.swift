import Foundation

/// Replays a recording with a power loss after each of its operations.
///
/// SIGKILL does not show a missing `fsync`: the kernel still writes everything. This does: for every prefix of the
/// recording it builds what the disk may hold when only what was synchronised is sure to be there.
///
/// ```swift
/// let files = RecordingFiles(root: folder.path)
/// try Store(folder: folder.path, files: files).save("one")
/// files.note("saved")
/// let count = try CrashReplay(files).forEachState { state in
///     let found = try Store(folder: state.folder, files: DiskFiles()).load()
///     #expect(found == "one" || (found == nil && !state.notes.contains("saved")), "\(state)")
/// }
/// #expect(count > 10)
/// ```
package struct CrashReplay: Sendable {
    /// A disk after a power loss, in a real folder of its own that is deleted after the check.
    package struct State: Sendable, CustomStringConvertible {
        /// Takes the place of the recording's root.
        package let folder: String
        /// What the caller had been told before the power went, in order.
        package let notes: [String]
        /// How many operations of the recording were done.
        package let operationCount: Int
        /// The last operation before the power loss, and the files that are left.
        package let description: String
    }

    private let operations: [RecordedOperation]
    private let root: String
    private let seed: UInt64

    package init(_ recording: RecordingFiles, seed: UInt64 = 1) {
        self.init(recording.operations, root: recording.root, seed: seed)
    }

    package init(_ operations: [RecordedOperation], root: String, seed: UInt64 = 1) {
        self.operations = operations
        self.root = root
        self.seed = seed
    }

    /// Calls `check` once for each different state; returns how many there were, so that a test can see that there
    /// were any.
    @discardableResult
    package func forEachState(_ check: (State) throws -> Void) throws -> Int {
        struct Seen: Hashable {
            var notes: [String]
            var outcome: PowerLoss.Outcome
        }
        var seen: Set<Seen> = []
        var random = SeededGenerator(seed: seed)
        var disk = DiskModel(root: root)
        for count in 0...operations.count {
            if count > 0 { disk.apply(operations[count - 1]) }
            for loss in PowerLoss.all(after: disk, random: &random) {
                let outcome = loss.outcome(of: disk)
                guard seen.insert(Seen(notes: disk.notes, outcome: outcome)).inserted else { continue }
                let folder = try Self.write(outcome)
                try check(
                    State(
                        folder: folder.path, notes: disk.notes, operationCount: count,
                        description: describe(count, outcome)))
            }
        }
        return seen.count
    }

    private func describe(_ count: Int, _ outcome: PowerLoss.Outcome) -> String {
        let last = count == 0 ? "nothing" : Self.text(operations[count - 1])
        let files = outcome.files.map { "\($0.key) (\($0.value.count) bytes)" }.sorted().joined(separator: ", ")
        return "power loss after \(count) of \(operations.count) operations (\(last)), leaving: \(files)"
    }

    private static func text(_ operation: RecordedOperation) -> String {
        if case .write(let file, let bytes) = operation { return "write of \(bytes.count) bytes to file \(file)" }
        return "\(operation)"
    }

    private static func write(_ outcome: PowerLoss.Outcome) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for path in outcome.folders {
            try FileManager.default.createDirectory(
                at: folder.url.appendingPathComponent(path), withIntermediateDirectories: true)
        }
        for (path, bytes) in outcome.files {
            _ = try folder.write(bytes, to: path)
        }
        return folder
    }
}

/// One of the things a power loss may do to a `DiskModel`: a fate for every change that was not safe yet. Pure.
struct PowerLoss {
    /// What becomes of bytes that were written but not synchronised.
    enum Bytes: CaseIterable {
        case dropped
        case kept
        case halved
        /// The length reached the disk, the contents did not.
        case zeroed

        func apply(to file: DiskModel.File) -> [UInt8] {
            switch self {
            case .dropped: file.durable
            case .kept: file.base + file.pending
            case .halved: file.base + file.pending.prefix(file.pending.count / 2)
            case .zeroed: file.base + [UInt8](repeating: 0, count: file.pending.count)
            }
        }
    }

    /// What is on the disk afterwards: folders and files by their path below the root.
    struct Outcome: Hashable {
        var folders: Set<String> = []
        var files: [String: [UInt8]] = [:]
    }

    /// Up to so many unsafe entries, every combination is built; beyond it, samples.
    static let exhaustiveEntries = 6
    static let samples = 64

    private let fates: [Int: Bytes]
    /// Whether each unsafe entry, counted through all folders, reached the disk.
    private let keeps: [Bool]

    /// Every power loss that can follow, or a seeded choice where they are too many.
    static func all(after disk: DiskModel, random: inout SeededGenerator) -> [PowerLoss] {
        let entries = disk.folders.reduce(0) { $0 + $1.pending.count }
        let files = disk.files.filter { !$0.value.isSafe }.keys.sorted()
        let keeps: [[Bool]] =
            entries <= exhaustiveEntries
            ? (0..<1 << entries).map { bits in (0..<entries).map { bits >> $0 & 1 == 1 } }
            : [[Bool](repeating: true, count: entries), [Bool](repeating: false, count: entries)]
                + (0..<samples).map { _ in (0..<entries).map { _ in Bool.random(using: &random) } }
        return keeps.flatMap { keeps in
            self.fates(of: files).map { PowerLoss(fates: $0, keeps: keeps) }
        }
    }

    /// Every combination for the first two files; the others share the fate of the second. Stores write one at a time.
    private static func fates(of files: [Int]) -> [[Int: Bytes]] {
        guard let first = files.first else { return [[:]] }
        return Bytes.allCases.flatMap { one in
            (files.count > 1 ? Bytes.allCases : [one]).map { other in
                Dictionary(uniqueKeysWithValues: files.map { ($0, $0 == first ? one : other) })
            }
        }
    }

    func outcome(of disk: DiskModel) -> Outcome {
        var rest = keeps[...]
        let entries = disk.folders.map { folder in
            let mine = rest.prefix(folder.pending.count)
            rest = rest.dropFirst(folder.pending.count)
            return DiskModel.apply(zip(folder.pending, mine).filter(\.1).map(\.0), to: folder.durable)
        }
        var outcome = Outcome()
        collect(0, "", entries, disk, into: &outcome)
        return outcome
    }

    private func collect(
        _ folder: Int, _ prefix: String, _ entries: [[String: DiskModel.Node]], _ disk: DiskModel,
        into outcome: inout Outcome
    ) {
        for (name, node) in entries[folder] {
            switch node {
            case .file(let number):
                guard let file = disk.files[number] else { continue }
                outcome.files[prefix + name] = (fates[number] ?? .kept).apply(to: file)
            case .folder(let number):
                outcome.folders.insert(prefix + name)
                collect(number, prefix + name + "/", entries, disk, into: &outcome)
            }
        }
    }
}
