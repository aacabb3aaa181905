import Foundation
import Testing

@testable import HearthImaging

@Suite("Memory is used again, within bounds")
struct ImageMemoryTests {
    private func block(_ byteCount: Int, _ pool: MemoryPool, fill: UInt8? = nil) throws -> PooledBytes {
        let block = try #require(PooledBytes(byteCount, isCleared: false, pool: pool))
        if let fill { block.bytes.initializeMemory(as: UInt8.self, repeating: fill) }
        return block
    }

    @Test("what is given back is lent again, to those that need at least half of it")
    func reuse() throws {
        let pool = MemoryPool(maxByteCount: 1000, maxBlockCount: 4)
        let address = try block(100, pool).bytes.baseAddress
        #expect(pool.unusedByteCount == 100)
        for (byteCount, isReused) in [(101, false), (100, true), (49, false), (50, true)] {
            let next = try block(byteCount, pool)
            #expect((next.bytes.baseAddress == address) == isReused)
            #expect(next.bytes.count == byteCount)
        }
    }

    @Test("the smallest that fits is taken")
    func smallest() throws {
        let pool = MemoryPool(maxByteCount: 1000, maxBlockCount: 4)
        try withExtendedLifetime((block(190, pool), block(110, pool), block(150, pool))) {}
        let next = try block(100, pool)
        #expect(pool.unusedByteCount == 340)
        withExtendedLifetime(next) {}
    }

    @Test("memory of an earlier owner is cleared where zeros were asked for")
    func cleared() throws {
        let pool = MemoryPool(maxByteCount: 1000, maxBlockCount: 4)
        try withExtendedLifetime(block(100, pool, fill: 0xAA)) {}
        let next = try #require(PooledBytes(80, isCleared: true, pool: pool))
        #expect(next.bytes.allSatisfy { $0 == 0 })
    }

    @Test("no more bytes and no more pieces than allowed wait; the oldest go first, the too large at once")
    func bounds() throws {
        let pool = MemoryPool(maxByteCount: 1000, maxBlockCount: 3)
        try withExtendedLifetime(block(1001, pool)) {}
        #expect(pool.unusedByteCount == 0)
        var many = try (1...10).map { try block($0, pool) }
        // One after the other, from the first on.
        while !many.isEmpty { many.removeFirst() }
        #expect(pool.unusedByteCount == 8 + 9 + 10)
        try (0..<10).forEach { _ in
            let pair = (try block(400, pool), try block(700, pool))
            withExtendedLifetime(pair) {}
            #expect(pool.unusedByteCount <= 1000)
        }
        pool.releaseUnused()
        #expect(pool.unusedByteCount == 0)
    }

    @Test(
        "what is left of a cut file never shows an earlier image",
        arguments: ["orientation_1.jpg", "resize_74x46.png"])
    func nothingLeaks(name: String) throws {
        let data = try ImageFixtures.data(name)
        let partial = ImageDecodeOptions(allowPartial: true)
        let cut = data.prefix(data.count - 30)
        let expected = try ImageDecoder.decode(cut, options: partial).pixels
        for _ in 0..<20 {
            // As large as the image, and full of what must not be seen.
            let secret = try #require(PooledBytes(expected.byteCount, isCleared: false))
            secret.bytes.initializeMemory(as: UInt8.self, repeating: 0xC7)
            withExtendedLifetime(secret) {}
            #expect(try ImageDecoder.decode(cut, options: partial).pixels.bytes == expected.bytes)
        }
    }

    @Test("many threads decode different images, each gets its own")
    func threads() throws {
        let names = ["rgb.png", "orientation_1.jpg", "resize_source.png", "chroma_420.jpg"]
        let expected = try names.map { try ImageFixtures.image($0).pixels.bytes }
        DispatchQueue.concurrentPerform(iterations: 400) { index in
            let bytes = try? ImageFixtures.image(names[index % 4]).pixels.bytes
            #expect(bytes == expected[index % 4])
        }
        ImageMemory.releaseUnused()
        #expect(ImageMemory.unusedByteCount <= 64 << 20)
    }
}
