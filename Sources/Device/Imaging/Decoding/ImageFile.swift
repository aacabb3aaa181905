import Foundation

/// Reads image files without trusting the path: it may name a folder, a pipe, a device or something far too large.
enum ImageFile {
    static func read(_ path: String, limits: ImageLimits) throws(ImageError) -> Data {
        // O_NONBLOCK, so that a pipe without a writer does not hang the call; it changes nothing for regular files.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(errno, path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno, path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ImageError(.unreadableFile, "\(path) is not a regular file; give the path of an image file")
        }
        let size = Int(status.st_size)
        try limits.check(fileBytes: size)
        do {
            return try file.read(upToCount: size) ?? Data()
        } catch {
            throw ImageError(.unreadableFile, "\(path) could not be read: \(error.localizedDescription)")
        }
    }

    private static func failure(_ number: Int32, _ path: String) -> ImageError {
        number == ENOENT || number == ENOTDIR
            ? ImageError(.notFound, "there is no file at \(path)")
            : ImageError(.unreadableFile, "\(path) could not be opened: \(String(cString: strerror(number)))")
    }
}
