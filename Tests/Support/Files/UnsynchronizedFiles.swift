package import HearthFiles

/// Leaves out synchronisation, as a careless store would: the control that a crash test can fail.
///
/// Put it between the store and `RecordingFiles`.
package struct UnsynchronizedFiles: FileOperations {
    package enum Omission: Sendable, CaseIterable {
        case fileSynchronization
        case folderSynchronization
    }

    private let base: any FileOperations
    private let omission: Omission

    package init(_ base: any FileOperations, without omission: Omission) {
        self.base = base
        self.omission = omission
    }

    package func createFile(_ path: String, mode: UInt32) throws(FileError) -> any WritableFile {
        careless(try base.createFile(path, mode: mode))
    }

    package func appendFile(_ path: String, mode: UInt32) throws(FileError) -> (any WritableFile)? {
        try base.appendFile(path, mode: mode).map(careless)
    }

    private func careless(_ file: any WritableFile) -> any WritableFile {
        omission == .fileSynchronization ? CarelessFile(base: file) : file
    }

    package func synchronizeFolder(_ path: String) throws(FileError) {
        if omission != .folderSynchronization { try base.synchronizeFolder(path) }
    }

    package func makeFolder(_ path: String, mode: UInt32) throws(FileError) { try base.makeFolder(path, mode: mode) }
    package func rename(_ source: String, to target: String) throws(FileError) { try base.rename(source, to: target) }
    package func remove(_ path: String) throws(FileError) { try base.remove(path) }
    package func size(_ path: String) throws(FileError) -> UInt64? { try base.size(path) }
    package func list(_ path: String) throws(FileError) -> [String] { try base.list(path) }
    package func freeBytes(_ folder: String) throws(FileError) -> UInt64 { try base.freeBytes(folder) }
    package func note(_ mark: String) { base.note(mark) }

    package func read(_ path: String, limitBytes: Int) throws(FileError) -> [UInt8] {
        try base.read(path, limitBytes: limitBytes)
    }
}

private final class CarelessFile: WritableFile {
    private let base: any WritableFile

    init(base: any WritableFile) { self.base = base }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) { try base.write(bytes) }
    func synchronize() throws(FileError) {}
    func truncate(to size: UInt64) throws(FileError) { try base.truncate(to: size) }
    var isInPlace: Bool { base.isInPlace }
}
