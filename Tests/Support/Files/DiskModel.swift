import HearthFiles

/// What a disk has been told and what of it would surely survive a power loss. Pure.
///
/// The rules are those that POSIX promises and no more: a file's bytes are safe after `fsync` of the file, an entry of
/// a folder (made, renamed, removed) after `fsync` of that folder. Whatever is not safe may be on the disk or not, each
/// change by itself, in any combination.
struct DiskModel {
    struct File {
        var durable: [UInt8] = []
        var pending: [UInt8] = []
        /// How many durable bytes were left before the pending ones came, where some were forgotten; not safe yet.
        var keptCount: Int?

        var isSafe: Bool { pending.isEmpty && keptCount == nil }
        /// What stands before the pending bytes if every change reaches the disk.
        var base: [UInt8] { Array(durable.prefix(keptCount ?? durable.count)) }

        mutating func synchronize() {
            durable = base + pending
            pending = []
            keptCount = nil
        }

        mutating func truncate(to count: Int) {
            let kept = base.count
            if count < kept {
                pending = []
                keptCount = count
            } else {
                pending = Array(pending.prefix(count - kept))
            }
        }
    }

    enum Node: Hashable {
        case file(Int)
        case folder(Int)
    }

    /// A change of a folder's entries, done by the system in one step.
    struct Change {
        var removed: String?
        var added: (name: String, node: Node)?
    }

    struct Folder {
        var durable: [String: Node] = [:]
        var pending: [Change] = []

        /// The entries as running programs see them.
        var current: [String: Node] { DiskModel.apply(pending, to: durable) }

        mutating func synchronize() {
            durable = current
            pending = []
        }
    }

    private(set) var files: [Int: File] = [:]
    /// Folder 0 is the root.
    private(set) var folders = [Folder()]
    private(set) var notes: [String] = []

    private let root: String

    init(root: String) { self.root = root }

    mutating func apply(_ operation: RecordedOperation) {
        switch operation {
        case .makeFolder(let path):
            let number = folders.count
            folders.append(Folder())
            change(path) { Change(added: ($0, .folder(number))) }
        case .createFile(let path, let file):
            files[file] = File()
            change(path) { Change(added: ($0, .file(file))) }
        case .write(let file, let bytes):
            files[file]?.pending += bytes
        case .synchronize(let file):
            files[file]?.synchronize()
        case .truncate(let file, let count):
            files[file]?.truncate(to: count)
        case .rename(let source, let target):
            guard let node = node(source) else { return }
            change(target) { Change(removed: FilePath.name(of: source), added: ($0, node)) }
        case .synchronizeFolder(let path):
            guard case .folder(let folder) = node(path) else { return }
            folders[folder].synchronize()
        case .remove(let path):
            change(path) { Change(removed: $0) }
        case .note(let mark):
            notes.append(mark)
        }
    }

    static func apply(_ changes: [Change], to entries: [String: Node]) -> [String: Node] {
        var entries = entries
        for change in changes {
            if let name = change.removed { entries[name] = nil }
            if let added = change.added { entries[added.name] = added.node }
        }
        return entries
    }

    private mutating func change(_ path: String, _ make: (String) -> Change) {
        guard case .folder(let folder) = node(FilePath.folder(of: path)) else { return }
        folders[folder].pending.append(make(FilePath.name(of: path)))
    }

    private func node(_ path: String) -> Node? {
        guard path != root else { return .folder(0) }
        guard path.hasPrefix(root + "/"), case .folder(let parent) = node(FilePath.folder(of: path)) else { return nil }
        return folders[parent].current[FilePath.name(of: path)]
    }
}
