import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// The guide says which Debian packages a machine without the compiler needs.
    @Suite struct InstallGuideTests {
        @Test func theGuideListsThePackagesOfAllLibrariesThatTheProgramsLoad() throws {
            let listed = try listedLibraries()
            var needed: Set<String> = []
            for program in ["hearth", "hearth-full"] {
                needed.formUnion(try neededLibraries(of: program))
            }
            #expect(needed.count > 10)
            #expect(needed == Set(listed.values.joined()))
        }

        @Test func theCommandOfTheGuideInstallsThePackagesOfItsTable() throws {
            let command = try #require(
                guide().firstMatch(of: #/apt-get install --no-install-recommends ([^`]+?)\ninstall -m/#)?.1)
            let installed = Set(command.split(whereSeparator: \.isWhitespace).map(String.init)).subtracting(["\\"])
            #expect(installed == Set(try listedLibraries().keys).union(["ca-certificates"]))
        }

        private func guide() throws -> String {
            try String(
                contentsOf: TestPaths.package.appendingPathComponent("docs/guides/server-install.md"), encoding: .utf8)
        }

        private func listedLibraries() throws -> [String: [String]] {
            var libraries: [String: [String]] = [:]
            for row in try guide().matches(of: #/\| `([^`]+)` \| ((?:`lib[^`]+\.so\.[^`]+`(?:, )?)+) \|/#) {
                libraries[String(row.1)] = row.2.matches(of: /`([^`]+)`/).map { String($0.1) }
            }
            return libraries
        }

        /// The libraries that the program itself asks for, without those of the compiler, of every Debian, and of the engine.
        private func neededLibraries(of program: String) throws -> Set<String> {
            let path = try HearthProgram.path(program)
            let lines = try RunningProgram("/usr/bin/readelf", ["--dynamic", "--wide", path]).waitForExit(seconds: 60)
                .output
            let names = lines.matches(of: /\(NEEDED\).*\[([^\]]+)\]/).map { String($0.1) }
            let everywhere: Set = ["libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2", "libLiteRt.so"]
            return Set(names).subtracting(everywhere).filter { $0.contains(".so.") }
        }
    }
}
