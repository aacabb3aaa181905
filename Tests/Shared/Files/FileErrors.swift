import HearthFiles
import Testing

/// The code of the `FileError` that `body` throws; nil when it throws none.
func fileErrorCode(_ body: () throws -> Void) -> FileError.Code? {
    do {
        try body()
        return nil
    } catch {
        let error = error as? FileError
        #expect(error != nil, "only file errors may come out")
        #expect(error?.message.contains("\n") == false)
        return error?.code
    }
}
