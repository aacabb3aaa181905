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
