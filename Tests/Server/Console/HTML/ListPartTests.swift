import Testing

@testable import HearthConsole

@Suite("Parts of long lists") struct ListPartTests {
    private func part(_ from: String, of count: Int = 25) -> ListPart<Int> {
        ListPart(of: Array(0..<count), size: 10, FormFields([("from", from)]))
    }

    @Test("Each part leads to the next one and to the one before")
    func parts() {
        #expect(part("").items == Array(0..<10) && part("").before == nil && part("").next == 10)
        #expect(part("10").items == Array(10..<20) && part("10").before == 0 && part("10").next == 20)
        #expect(part("20").items == Array(20..<25) && part("20").before == 10 && part("20").next == nil)
        #expect(part("0", of: 10).next == nil && part("0", of: 0).items.isEmpty)
    }

    @Test("Whatever stands in the address", arguments: ["9223372036854775807", "-9223372036854775808", "1e30", "x"])
    func anything(from: String) {
        let part = part(from)
        #expect((0..<25).contains(part.first) && !part.items.isEmpty)
        #expect(self.part(from, of: 0).items.isEmpty)
    }
}
