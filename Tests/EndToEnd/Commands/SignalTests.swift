import EndToEndDriving
import Foundation
import Glibc
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// Signals that a user sends, and those that a parent has turned off.
    @Suite struct SignalTests {
        /// A pipe that is full, for a program to hang on.
        private final class FullPipe {
            let path: String
            private let descriptor: Int32

            init(in folder: TemporaryFolder) {
                path = folder.path + "/pipe"
                mkfifo(path, 0o600)
                descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
                for size in [4096, 1] {
                    let bytes = [UInt8](repeating: 0, count: size)
                    while write(descriptor, bytes, size) > 0 {}
                }
            }

            deinit { close(descriptor) }
        }

        /// A server whose stop hangs, because nobody takes what it says about it.
        @Test(arguments: [SIGINT, SIGTERM])
        func aSecondSignalEndsTheServerAtOnce(signal: Int32) throws {
            let folder = try TemporaryFolder()
            let pipe = FullPipe(in: folder)
            let server = try HearthProgram.shell(
                #"exec "$0" serve --data "$1" --port 0 2>"$2""#, folder.path + "/data", pipe.path)
            _ = try server.readOutput(until: "GoogleService-Info.plist\n", seconds: 60)
            // Again and again, because nobody can see when the first one was taken.
            let hasEnded = Deadline.wait {
                server.send(signal)
                return !server.isRunning
            }
            try #require(hasEnded)
            #expect(try server.waitForExit(seconds: 30).exitCode == nil)
        }

        @Test func aParentThatIgnoresItsChildrenIsNoObstacle() throws {
            let inspection = try HearthProgram.shell(
                #"exec env --ignore-signal=CHLD "$0" inspect "$1""#, SampleModels.file
            )
            .waitForExit(seconds: 60)
            #expect(inspection.exitCode == 0, "\(inspection.errors)")

            let folder = try TemporaryFolder()
            let server = try HearthProgram.shell(
                #"exec env --ignore-signal=CHLD "$0" serve --data "$1" --port 0"#, folder.path)
            _ = try server.readOutput(until: "GoogleService-Info.plist\n", seconds: 60)
            let push = try HearthProgram.run([
                "models", "push", "digits", SampleModels.file, "--publish", "--credentials",
                folder.path + "/credentials/admin-service-account.json",
            ])
            #expect(push.exitCode == 0, "\(push.errors)")
        }
    }
}
