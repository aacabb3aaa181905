import Foundation
import HearthFiles
import Synchronization

/// Whether the app's user allows data to be collected, kept in the app's folder. Use it from any thread.
final class DataCollectionSwitch: Sendable {
    static let fileName = "data-collection"
    static let infoKey = "FirebaseDataCollectionDefaultEnabled"

    private let folder: String
    private let files: any FileOperations
    private let infoValue: Bool?
    /// What was set or found; nil until it was looked for.
    private let known = Mutex<Stored?>(nil)

    private enum Stored { case set(Bool), nothing }

    /// - Parameter infoValue: What the program's `Info.plist` says; nil when it says nothing.
    init(folder: String, files: any FileOperations, infoValue: Bool? = DataCollectionSwitch.mainBundleValue()) {
        self.folder = folder
        self.files = files
        self.infoValue = infoValue
    }

    static func mainBundleValue() -> Bool? { Bundle.main.object(forInfoDictionaryKey: infoKey) as? Bool }

    /// What was set, else what `Info.plist` says, else true.
    var isOn: Bool {
        get {
            let stored = known.withLock { known in
                let stored = known ?? load()
                known = stored
                return stored
            }
            if case .set(let value) = stored { return value }
            return infoValue ?? true
        }
        set {
            known.withLock { known in
                known = .set(newValue)
                save(newValue)
            }
        }
    }

    /// Forgets what was set.
    func clear() {
        known.withLock { known in
            known = .nothing
            guard (try? files.size(path)) ?? nil != nil else { return }
            try? files.remove(path)
        }
    }

    private var path: String { FilePath.join(folder, Self.fileName) }

    private func load() -> Stored {
        guard let bytes = try? files.read(path, limitBytes: 16) else { return .nothing }
        switch String(decoding: bytes, as: UTF8.self) {
        case "true": return .set(true)
        case "false": return .set(false)
        default: return .nothing
        }
    }

    private func save(_ value: Bool) {
        do throws(FileError) {
            try files.makeFolder(folder, mode: 0o700)
            try AtomicFile.write(Array("\(value)".utf8), to: path, files: files)
        } catch {
            AppLog.core.error("I-COR000034", "The data collection flag is not kept: \(error.message)")
        }
    }
}
