import HearthCatalog
import HearthCrypto
import HearthWire
import Testing

@testable import HearthTargeting

@Suite("Shares of installations") struct ShareTests {
    private static let installations = Sample.installations(100_000)

    private func held(by number: Int, model: Int64 = 1_000_001) -> [Int] {
        let release = Sample.release(number, model: model).release
        return Self.installations.map { ShareBucket.bucket(of: $0, in: release) }
    }

    @Test("The bucket is that of the written rule")
    func rule() {
        let digest = SHA256Hasher.hash("1000001/2/cABCDEFGHIJKLMNOPQRSTU".utf8).hex
        let number = UInt64(digest.prefix(16), radix: 16) ?? 0
        let release = Sample.release(2).release
        #expect(ShareBucket.bucket(of: "cABCDEFGHIJKLMNOPQRSTU", in: release) == Int(number % 1_000_000))
    }

    @Test("Of 100,000 installations, a release holds the share it names, and a larger share holds the same and more")
    func shares() {
        let buckets = held(by: 2)
        let devices = Self.installations.map { Sample.device($0) }
        var before = Set<Int>()
        for share in [0, 1, 10_000, 100_000, 500_000, 990_000, 999_999, 1_000_000] {
            let release = Sample.release(2, share: share)
            // Through the door at a tenth of the ids, by the bucket at all of them.
            for index in stride(from: 0, to: devices.count, by: 10) {
                let isChosen = ReleaseChoice.choose([release], for: devices[index], nowMicroseconds: 0) != nil
                #expect(isChosen == (buckets[index] < share))
            }
            let now = Set(buckets.indices.filter { buckets[$0] < share })
            #expect(before.isSubset(of: now), "nobody falls out of a share that grows")
            before = now
            // Five standard deviations of a draw of 100,000.
            let part = Double(share) / 1_000_000
            let deviation = (part * (1 - part) / 100_000).squareRoot()
            #expect(abs(Double(now.count) / 100_000 - part) <= 5 * deviation + 1e-9)
        }
    }

    @Test("Two releases, or the same release of two models, draw independently")
    func independence() {
        let first = held(by: 2)
        for other in [held(by: 3), held(by: 2, model: 1_000_002)] {
            let both = zip(first, other).count { $0 < 500_000 && $1 < 500_000 }
            // A quarter of them; one standard deviation is 137.
            #expect(abs(both - 25_000) < 5 * 137)
            let tenths = zip(first, other).count { $0 < 100_000 && $1 < 100_000 }
            #expect(abs(tenths - 1_000) < 5 * 32)
        }
    }
}
