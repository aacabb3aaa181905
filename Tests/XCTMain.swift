import Testing
import XCTest

/// Where the program of all tests begins. SwiftPM looks for a file of this name in this folder.
///
/// Without one, SwiftPM writes its own, for which it searches the compiler's index for tests of XCTest. There are none here,
/// and builds without an index are faster.
@main enum TestProgram {
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") {
            await Testing.__swiftPMEntryPoint() as Never
        }
        XCTMain([])
    }
}
