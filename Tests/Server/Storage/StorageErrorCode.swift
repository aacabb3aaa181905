import HearthStorage

/// Why a store refuses the work; nil where it does it, or fails with another error.
func code(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
