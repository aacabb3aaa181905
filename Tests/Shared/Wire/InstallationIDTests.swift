import HearthWire
import Testing

@Suite("Ids of installations")
struct InstallationIDTests {
    @Test(
        "the form",
        arguments: [
            ("cAAAAAAAAAAAAAAAAAAAA1", true), ("dzzzzzzzzzzzzzzzzzzzz_", true), ("e000000000000000000009", true),
            ("f--------------------_", true), ("bAAAAAAAAAAAAAAAAAAAA1", false), ("gAAAAAAAAAAAAAAAAAAAA1", false),
            ("CAAAAAAAAAAAAAAAAAAAA1", false), ("cAAAAAAAAAAAAAAAAAAAA", false), ("cAAAAAAAAAAAAAAAAAAAA12", false),
            ("cAAAAAAAAAAAAAAAAAAAA=", false), ("cAAAAAAAAAAAAAAAAAAA/1", false), ("cAAAAAAAAAAAAAAAAAAA\u{E9}", false),
            ("", false), ("legacyIDs11", false),
        ])
    func form(text: String, isValid: Bool) {
        #expect(InstallationID.isValid(text) == isValid)
    }

    @Test("made of random bytes: every bit but the first four counts, up to the cut")
    func made() {
        let zeros = [UInt8](repeating: 0, count: InstallationID.randomByteCount)
        #expect(InstallationID.text(random: zeros) == "cAAAAAAAAAAAAAAAAAAAAA")
        #expect(InstallationID.text(random: zeros.map { ~$0 }) == "f_____________________")
        for index in 0..<132 where index >= 4 {
            var bytes = zeros
            bytes[index / 8] = 0x80 >> UInt8(index % 8)
            let id = InstallationID.text(random: bytes)
            #expect(InstallationID.isValid(id))
            #expect(id != InstallationID.text(random: zeros))
        }
    }
}
