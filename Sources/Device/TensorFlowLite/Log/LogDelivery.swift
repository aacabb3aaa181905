import Foundation

/// Whether the present thread is in a log handler, and so in a call of an interpreter that is not over.
enum LogDelivery {
    static var isUnderWay: Bool {
        guard let key else { return false }
        return pthread_getspecific(key) != nil
    }

    static func deliver(_ message: LogMessage, to handler: LogHandler) {
        guard let key else { return handler(message) }
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        handler(message)
        pthread_setspecific(key, outer)
    }

    /// Has any value at all on threads that are in a handler.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()
}
