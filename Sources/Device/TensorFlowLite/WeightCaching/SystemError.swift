import Foundation

/// Why a call of the operating system failed.
struct SystemError: Error, CustomStringConvertible {
    /// The `errno` that the call left.
    let number: Int32

    var description: String { String(cString: strerror(number)) }

    /// - Returns: What the call returned, if that was no error.
    @discardableResult
    static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(number: errno) }
        return result
    }
}
