#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// Reads one regular file through a borrowed descriptor, either all of it or nothing.
struct FileReader {
    /// The attributes that must not change while the file is read.
    struct State: Equatable {
        let size: Int
        let modifiedSeconds: Int
        let modifiedNanoseconds: Int
    }

    let descriptor: Int32
    /// The file's name in error texts.
    let name: String

    var changed: ModelFileError {
        ModelFileError(.unreadable, "\(name) changed while it was read; try again when nothing writes to it")
    }

    /// Opens a file for the caller, which must close the descriptor. The call does not block, so that a named pipe
    /// cannot stop the caller.
    /// - Parameter followsLinks: Whether a link at the end of the path is followed or refused.
    static func open(_ path: String, followsLinks: Bool) throws(ModelFileError) -> Int32 {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw ModelFileError(.notFound, "the path of the file is empty or contains a NUL character")
        }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)
        while true {
            #if canImport(Glibc)
                let descriptor = Glibc.open(path, flags)
            #else
                let descriptor = Foundation.open(path, flags)
            #endif
            if descriptor >= 0 { return descriptor }
            switch errno {
            case EINTR: continue
            case ENOENT, ENOTDIR: throw ModelFileError(.notFound, "there is no file '\(path)'")
            case ELOOP where !followsLinks:
                throw ModelFileError(.invalidBundle, "'\(path)' is a symbolic link; put the file itself there")
            default:
                throw ModelFileError(.unreadable, "'\(path)' cannot be opened: \(String(cString: strerror(errno)))")
            }
        }
    }

    func state() throws(ModelFileError) -> State {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw ModelFileError(.unreadable, "\(name) is a folder; a file is needed")
        default: throw ModelFileError(.unreadable, "\(name) is not a regular file")
        }
        #if canImport(Glibc)
            let modified = status.st_mtim
        #else
            let modified = status.st_mtimespec
        #endif
        return State(
            size: Int(status.st_size), modifiedSeconds: modified.tv_sec, modifiedNanoseconds: modified.tv_nsec)
    }

    /// Reads from the start of the file until `target` is full.
    func fill(_ target: UnsafeMutableRawBufferPointer) throws(ModelFileError) {
        var done = 0
        while done < target.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: target[done...])
            let got = pread(descriptor, rest.baseAddress, rest.count, off_t(done))
            if got > 0 {
                done += got
            } else if got == 0 {
                throw changed
            } else if errno != EINTR {
                throw failure()
            }
        }
    }

    /// Maps the first `count` bytes, read-only, followed by at least `padding` zero bytes. The caller must unmap `count
    /// + padding` bytes.
    func map(_ count: Int, padding: Int) throws(ModelFileError) -> UnsafeMutableRawPointer {
        // The kernel zeroes the rest of the file's last page. The reservation makes the pages after it readable.
        let reserved = mmap(nil, count + padding, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let reserved, reserved != MAP_FAILED else { throw failure() }
        guard mmap(reserved, count, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor, 0) == reserved else {
            let error = failure()
            munmap(reserved, count + padding)
            throw error
        }
        return reserved
    }

    private func failure() -> ModelFileError {
        ModelFileError(.unreadable, "\(name) cannot be read: \(String(cString: strerror(errno)))")
    }
}
