import Foundation

/// A library of this process, or the program itself, by where it was loaded.
struct LoadedLibrary: Equatable {
    private let base: UnsafeRawPointer

    /// What the address of a function or of a constant lies in; nil where that cannot be told.
    init?(of address: UnsafeRawPointer) {
        #if canImport(Glibc)
            // Glibc hides `dladdr` and its result from Swift, but has them.
            guard let function = dlsym(nil, "dladdr") else { return nil }
            typealias Look = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
            var found = Answer()
            let isFound = withUnsafeMutablePointer(to: &found) {
                unsafeBitCast(function, to: Look.self)(address, $0)
            }
            guard isFound != 0, let base = found.base else { return nil }
            self.base = base
        #else
            return nil
        #endif
    }

    /// `Dl_info` of `dlfcn.h`.
    private struct Answer {
        var path: UnsafePointer<CChar>?
        var base: UnsafeRawPointer?
        var symbolName: UnsafePointer<CChar>?
        var symbol: UnsafeRawPointer?
    }
}
