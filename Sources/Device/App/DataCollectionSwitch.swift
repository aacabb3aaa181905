import Foundation
import HearthConcurrency
import HearthFiles
import Synchronization

/// Whether the app's user allows data of some kind to be collected. Stored in the app's folder. Use it from any thread.
package final class DataCollectionSwitch: Sendable {
    static let fileName = "data-collection"
    static let infoKey = "FirebaseDataCollectionDefaultEnabled"

    private let folder: String
    private let fileName: String
    private let files: any FileOperations
    private let infoValue: Bool?
    /// What was set or read. Not behind a lock, because runs of models ask on many threads at once.
    private let known = Atomic(Stored.unread)
    /// Held while the file is read or written.
    private let fileLock = Lock(())

    private enum Stored: UInt8, AtomicRepresentable { case unread, on, off, nothing }

    /// Makes a switch.
    ///
    /// - Parameter infoValue: The value in the program's `Info.plist`; nil when it has none.
    init(
        folder: String, fileName: String = DataCollectionSwitch.fileName, files: any FileOperations,
        infoValue: Bool? = DataCollectionSwitch.mainBundleValue(infoKey)
    ) {
        self.folder = folder
        self.fileName = fileName
        self.files = files
        self.infoValue = infoValue
    }

    /// Makes a switch in addition to the app's own.
    ///
    /// - Parameters:
    ///   - fileName: A file in the app's folder.
    ///   - infoKey: A key in the program's `Info.plist`.
    ///   - optionsValue: The value when `Info.plist` has none.
    package convenience init(_ app: FirebaseApp, fileName: String, infoKey: String, optionsValue: Bool? = nil) {
        self.init(
            folder: app.folder, fileName: fileName, files: app.environment.files,
            infoValue: Self.mainBundleValue(infoKey) ?? optionsValue)
    }

    /// The value in the program's `Info.plist`; nil when it has none.
    package static func mainBundleValue(_ key: String) -> Bool? {
        Bundle.main.object(forInfoDictionaryKey: key) as? Bool
    }

    /// The value that was set, otherwise the one in `Info.plist`; nil when both are missing. The first call reads a
    /// small file.
    package var choice: Bool? {
        var stored = known.load(ordering: .relaxed)
        if stored == .unread { stored = read() }
        switch stored {
        case .on: return true
        case .off: return false
        case .unread, .nothing: return infoValue
        }
    }

    /// Sets a value, which also applies after a restart. Writes a small file.
    package func set(_ value: Bool) {
        fileLock.withLock { _ in
            known.store(value ? .on : .off, ordering: .relaxed)
            save(value)
        }
    }

    /// The value that was set, otherwise the one in `Info.plist`, otherwise true.
    var isOn: Bool {
        get { choice ?? true }
        set { set(newValue) }
    }

    /// Removes the value that was set.
    func clear() {
        fileLock.withLock { _ in
            known.store(.nothing, ordering: .relaxed)
            guard (try? files.size(path)) ?? nil != nil else { return }
            try? files.remove(path)
        }
    }

    private var path: String { FilePath.join(folder, fileName) }

    private func read() -> Stored {
        fileLock.withLock { _ in
            // Another thread may have read or set it meanwhile.
            let known = known.load(ordering: .relaxed)
            if known != .unread { return known }
            let stored = load()
            self.known.store(stored, ordering: .relaxed)
            return stored
        }
    }

    private func load() -> Stored {
        guard let bytes = try? files.read(path, limitBytes: 16) else { return .nothing }
        switch String(decoding: bytes, as: UTF8.self) {
        case "true": return .on
        case "false": return .off
        default: return .nothing
        }
    }

    private func save(_ value: Bool) {
        do throws(FileError) {
            try files.makeFolder(folder, mode: 0o700)
            try AtomicFile.write(Array("\(value)".utf8), to: path, files: files)
        } catch {
            AppLog.core.error("I-COR000034", "The flag '\(fileName)' cannot be saved: \(error.message)")
        }
    }
}
