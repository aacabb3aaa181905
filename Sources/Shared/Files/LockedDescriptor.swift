#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

enum LockedDescriptor {
    /// Gives up the lock that the descriptor may have, and closes it. Closing alone would leave the lock to a child process
    /// that was begun meanwhile, which has a copy of every descriptor until it runs its own program.
    static func close(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
        _ = systemClose(descriptor)
    }
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
