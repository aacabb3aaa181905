import HearthCrypto
import Testing

@Suite("Secrets") struct SecretTests {
    @Test("Equal bytes are equal, and nothing else")
    func constantTime() {
        #expect(ConstantTime.equals([], []))
        #expect(ConstantTime.equals([1, 2], [1, 2]))
        #expect(!ConstantTime.equals([1, 2], [1, 3]))
        #expect(!ConstantTime.equals([1, 2], [1]))
        #expect(!ConstantTime.equals([], [0]))
    }

    @Test("Random bytes have the length asked for and do not repeat")
    func random() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(17).count == 17)
        #expect(Set((0..<100).map { _ in SecureRandom.bytes(16) }).count == 100)
    }

    @Test("A secret matches its stored hash and no other")
    func secretHash() {
        let stored = SecretHash.hex(of: "abc")
        #expect(stored == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SecretHash.matches("abc", hex: stored))
        #expect(!SecretHash.matches("abd", hex: stored))
        #expect(!SecretHash.matches("abc", hex: ""))
        #expect(!SecretHash.matches("abc", hex: "abc"))
    }
}
