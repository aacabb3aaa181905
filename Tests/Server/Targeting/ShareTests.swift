import HearthCatalog
import HearthCrypto
import HearthWire
import Testing

@testable import HearthTargeting

@Suite("Shares of installations") struct ShareTests {
    private static let installations = Sample.installations(100_000)

    private func buckets(_ number: Int, model: Int64 = 1_000_001, of installations: [String]) -> [Int] {
        let release = Sample.release(number, model: model).served.release
        return installations.map { ShareBucket.bucket(of: $0, in: release) }
    }

    @Test("The bucket is that of the written rule")
    func rule() {
        let digest = SHA256Hasher.hash("1000001/2/cABCDEFGHIJKLMNOPQRSTU".utf8).hex
        let number = UInt64(digest.prefix(16), radix: 16) ?? 0
        let release = Sample.release(2).served.release
        #expect(ShareBucket.bucket(of: "cABCDEFGHIJKLMNOPQRSTU", in: release) == Int(number % 1_000_000))
    }

    @Test("Of 100,000 installations, a release holds the share it names, and a larger share holds the same and more")
    func shares() {
        let buckets = buckets(2, of: Self.installations)
        var before = buckets.map { _ in false }
        for share in [0, 1, 10_000, 100_000, 500_000, 990_000, 999_999, 1_000_000] {
            let release = Sample.release(2, share: share)
            // Through the door at a hundredth of the ids, by the bucket at all of them.
            for index in stride(from: 0, to: buckets.count, by: 100) {
                let device = Sample.device(Self.installations[index])
                let isChosen = ReleaseChoice.choose([release], for: device, nowMicroseconds: 0) != nil
                #expect(isChosen == (buckets[index] < share))
            }
            let now = buckets.map { $0 < share }
            #expect(zip(before, now).allSatisfy { !$0 || $1 }, "nobody falls out of a share that grows")
            before = now
            let count = now.count { $0 }
            // Five standard deviations of a draw of 100,000.
            let part = Double(share) / 1_000_000
            let deviation = (part * (1 - part) / 100_000).squareRoot()
            #expect(abs(Double(count) / 100_000 - part) <= 5 * deviation + 1e-9)
        }
    }

    @Test("Two releases, or the same release of two models, draw independently")
    func independence() {
        let ids = Array(Self.installations.prefix(20_000))
        let first = buckets(2, of: ids)
        for other in [buckets(3, of: ids), buckets(2, model: 1_000_002, of: ids)] {
            let both = zip(first, other).count { $0 < 500_000 && $1 < 500_000 }
            // A quarter of them; one standard deviation is 61.
            #expect(abs(both - 5_000) < 5 * 61)
            let tenths = zip(first, other).count { $0 < 100_000 && $1 < 100_000 }
            #expect(abs(tenths - 200) < 5 * 14)
        }
    }
}
