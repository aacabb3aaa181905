import Testing

@testable import HearthDevicePlane
@testable import HearthManagement
@testable import HearthRouting
@testable import HearthServing

@Suite("Repeated calls")
struct RepeatedCallsTests {
    @Test("A call that says the same in the same ten minutes is no new one; another device or a later time is")
    func repeats() {
        let calls = RepeatedCalls()
        let now: Int64 = 1_800_000_000 / 600 * 600
        #expect(calls.isNew(0x1234_5678_9ABC_DEF0, atSeconds: now))
        #expect(!calls.isNew(0x1234_5678_9ABC_DEF0, atSeconds: now))
        #expect(!calls.isNew(0x1234_5678_9ABC_DEF0, atSeconds: now + 599))
        #expect(calls.isNew(0x1234_5678_9ABC_DEF0, atSeconds: now + 600))
        #expect(calls.isNew(0x1234_5678_9ABC_DEF1, atSeconds: now + 600))
    }

    @Test("Hashes that differ in any bit are told apart, or the earlier one is forgotten")
    func bits() {
        for bit in 0..<64 {
            let calls = RepeatedCalls()
            #expect(calls.isNew(0, atSeconds: 0))
            #expect(calls.isNew(1 << UInt64(bit), atSeconds: 0), "bit \(bit)")
        }
    }
}
