/// One step towards the disk, as `RecordingFiles` saw it. Paths are absolute.
public enum RecordedOperation: Sendable, Equatable {
    /// One folder; making missing parents is several steps, each followed by the parent's synchronisation.
    case makeFolder(String)
    /// `file` numbers the files of a recording in the order in which they were made.
    case createFile(String, file: Int)
    case write(file: Int, bytes: [UInt8])
    case synchronize(file: Int)
    /// All bytes from that number on forgotten.
    case truncate(file: Int, to: Int)
    case rename(String, to: String)
    case synchronizeFolder(String)
    case remove(String)
    /// What a caller has been told: nothing on the disk.
    case note(String)
}
