import Glibc
import HearthHTTP

extension OwnedDescriptor {
    /// Opens a file for reading; `nil` leaves the cause in `errno`.
    convenience init?(readingFrom path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(takingOwnershipOf: descriptor)
    }
}
