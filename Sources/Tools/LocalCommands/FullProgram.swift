import Glibc
import HearthArguments

/// The program with all commands, in the same folder as this one.
enum FullProgram {
    static let name = "hearth-full"

    /// Replaces this process by that program, with the same arguments. Wraps `execv`.
    ///
    /// - Throws: if it cannot be started.
    static func exec(_ work: String) throws(CommandFailure) -> Never {
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

    /// The real path of this program's file. Wraps `readlink`.
    private static func ownFolder() throws(CommandFailure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { raw in
            raw.withMemoryRebound(to: CChar.self) { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else {
            throw CommandFailure("Cannot find this program's own path; is /proc mounted?")
        }
        return String(decoding: buffer[..<slash], as: UTF8.self)
    }
}

/// Models on the server: the full program takes the whole command over, because it can download them.
enum ForwardingModelSource: HostedModelSource {
    static func path(of model: String, config: String?) throws -> String {
        try FullProgram.exec("The hosted model '\(model)'")
    }
}
