/// Sizes as databases keep them: as signed 64-bit integers.
public enum StoredSize {
    /// - Throws: `.tooLarge` where the size has no such form.
    public static func integer(_ bytes: UInt64) throws(StorageError) -> Int64 {
        guard let size = Int64(exactly: bytes) else {
            throw StorageError(.tooLarge, "A size of \(bytes) bytes cannot be stored")
        }
        return size
    }
}
