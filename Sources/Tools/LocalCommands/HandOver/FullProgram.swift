import Glibc

/// The program with all commands, which lies beside this one.
enum FullProgram {
    static let name = "hearth-full"

    /// Becomes that program, with the same arguments. Wraps `execv`.
    ///
    /// - Throws: when it cannot be started.
    static func takeOver(_ work: String) throws(CommandFailure) -> Never {
        let folder = try ownFolder()
        let path = folder + "/" + name
        execv(path, CommandLine.unsafeArgv)
        let number = errno
        throw CommandFailure(
            number == ENOENT
                ? "\(work) needs the program \(name), which is not in \(folder). Build it with `swift build --product \(name)`, "
                    + "or install it there."
                : "\(work) needs \(path), which cannot be started: \(String(cString: strerror(number)))")
    }

    /// Where the file of this very program lies, whatever links led to it. Wraps `readlink`.
    private static func ownFolder() throws(CommandFailure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else {
            throw CommandFailure("Cannot tell where this program lies; is /proc there?")
        }
        return String(decoding: buffer[..<slash], as: UTF8.self)
    }
}
