import Testing

@testable import HearthLocalCommands

@Suite struct ResidentMemoryTests {
    @Test func theSystemTells() throws {
        #expect(try #require(ResidentMemory.peak()) > 1 << 20)
    }

    @Test func thePeakIsFoundAmongTheOthers() {
        let status = "Name:\thearth\nVmPeak:\t  900 kB\nVmHWM:\t    5120 kB\nVmRSS:\t  4000 kB\n"
        #expect(ResidentMemory.peak(inStatus: status) == 5_242_880)
    }

    @Test(arguments: [
        "", "VmRSS:\t4000 kB", "VmHWM:", "VmHWM:\t x kB", "VmHWM:\t-1 kB", "VmHWM:\t5 MB",
        "VmHWM:\t18446744073709551615 kB",
    ])
    func anythingElseIsNotKnown(status: String) {
        #expect(ResidentMemory.peak(inStatus: status) == nil)
    }
}
