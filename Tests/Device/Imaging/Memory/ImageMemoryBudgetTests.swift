import Foundation
import Synchronization
import Testing

@testable import HearthImaging

@Suite("Memory of all images together") struct ImageMemoryBudgetTests {
    private static let plenty = 1 << 40

    private static func path(_ name: String) -> String { ImageFixtures.folder.appendingPathComponent(name).path }

    private func decode(_ path: String, within budget: ImageMemoryBudget) throws -> ImageMemoryReservation {
        let share = ImageMemoryReservation(of: budget)
        var options = ImageDecodeOptions()
        options.memory = share
        _ = try ImageDecoder.decode(contentsOfFile: path, options: options)
        return share
    }

    /// What decoding the fixture takes.
    private func need(_ name: String) throws -> Int {
        let budget = ImageMemoryBudget(byteCount: Self.plenty, name: "")
        try decode(Self.path(name), within: budget).release()
        #expect(budget.usedByteCount == 0)
        return budget.peakByteCount
    }

    @Test(
        "What an image takes follows from its header",
        arguments: [
            // Bytes for each pixel of the fixture, beside the file: pixels, and what the decoder holds meanwhile.
            ("rgb.png", 3, 0), ("interlaced.gif", 3, 0), ("bgr.bmp", 3, 0), ("lossy.webp", 3, 0),
            ("lossless.webp", 3, 4),
            ("chroma_420.jpg", 3, 0), ("gray.jpg", 3, 0), ("cmyk.jpg", 4, 0),
        ])
    func needs(name: String, bytesPerPixel: Int, working: Int) throws {
        let data = try ImageFixtures.data(name)
        let size = try ImageDecoder.decode(data).storedSize
        let pixels = size.width * size.height
        #expect(
            try need(name)
                == data.count + pixels * (bytesPerPixel + working) + ImageDecodeOptions.decoderByteCount)
    }

    @Test("A progressive JPEG takes its coefficients too, in whole blocks")
    func progressive() throws {
        let data = try ImageFixtures.data("progressive.jpg")
        let size = try ImageDecoder.decode(data).storedSize
        let markers = data.withUnsafeBytes { JPEGMarkers($0) }
        let coefficients = markers.coefficientByteCount(width: size.width, height: size.height)
        #expect(coefficients >= size.width * size.height * 3, "colour at half the size in both directions, at least")
        #expect(
            try need("progressive.jpg")
                == data.count + size.width * size.height * 3 + coefficients + ImageDecodeOptions.decoderByteCount)
    }

    @Test(
        "Coefficients are counted as the library holds them, by the components' samplings",
        arguments: [
            ([0x11, 0x11, 0x11], 3 * 2), ([0x22, 0x11, 0x11], 3), ([0x11], 2), ([0x11, 0x11, 0x11, 0x11], 8),
        ])
    func coefficients(samplings: [UInt8], bytesPerPixel: Int) {
        let count = UInt8(samplings.count)
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC2, 0, 8 + 3 * count, 8, 0, 160, 0, 160, count]
        for (index, sampling) in samplings.enumerated() { bytes += [UInt8(index + 1), sampling, 0] }
        let markers = bytes.withUnsafeBytes { JPEGMarkers($0) }
        #expect(markers.coefficientByteCount(width: 160, height: 160) == 160 * 160 * bytesPerPixel)
        #expect(
            markers.coefficientByteCount(width: 161, height: 160)
                > markers.coefficientByteCount(width: 160, height: 160))
    }

    @Test("An image that takes all there is passes, one byte less and it is refused with what to raise")
    func refusal() throws {
        let (path, need) = (Self.path("progressive.jpg"), try need("progressive.jpg"))
        let enough = ImageMemoryBudget(byteCount: need, name: "--memory")
        try decode(path, within: enough).release()
        let tooLittle = ImageMemoryBudget(byteCount: need - 1, name: "--memory")
        let error = #expect(throws: ImageError.self) { _ = try decode(path, within: tooLittle) }
        #expect(error?.code == .tooLarge && error?.message.contains("(--memory)") == true)
        #expect(tooLittle.usedByteCount == 0)
    }

    @Test("Pixels count until they are given back, what only decoding takes does not")
    func kept() throws {
        let budget = ImageMemoryBudget(byteCount: Self.plenty, name: "")
        let share = try decode(Self.path("progressive.jpg"), within: budget)
        let size = try ImageDecoder.decode(ImageFixtures.data("progressive.jpg")).storedSize
        #expect(budget.usedByteCount == size.width * size.height * 3)
        share.release()
        #expect(budget.usedByteCount == 0)
    }

    @Test("An image that does not fit beside another one waits, and holds nothing meanwhile")
    func waiting() throws {
        let (path, need) = (Self.path("progressive.jpg"), try need("progressive.jpg"))
        let budget = ImageMemoryBudget(byteCount: need + 100_000, name: "")
        let first = ImageMemoryReservation(of: budget)
        // Leaves room for the file, but not for what its header tells.
        try first.acquire(200_000)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            try? decode(path, within: budget).release()
            done.signal()
        }
        let deadline = ContinuousClock.now + .seconds(30)
        while budget.waitingCount == 0, ContinuousClock.now < deadline { sched_yield() }
        #expect(budget.waitingCount == 1 && budget.usedByteCount == 200_000)
        first.release()
        #expect(done.wait(timeout: .now() + 30) == .success)
        #expect(budget.peakByteCount == need && budget.usedByteCount == 0)
    }

    @Test("Many threads never take more than there is, and all get their turn")
    func many() throws {
        let (path, need) = (Self.path("progressive.jpg"), try need("progressive.jpg"))
        let budget = ImageMemoryBudget(byteCount: need * 2 + need / 2, name: "")
        let decoded = Journal()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 1...5 {
                guard let share = try? decode(path, within: budget) else { return }
                decoded.add()
                share.release()
            }
        }
        #expect(decoded.count == 40)
        #expect(budget.peakByteCount <= budget.byteCount && budget.usedByteCount == 0)
    }
}

private final class Journal: Sendable {
    private let total = Mutex(0)

    var count: Int { total.withLock { $0 } }

    func add() { total.withLock { $0 += 1 } }
}

@Suite("Who gets memory") struct MemoryQueueTests {
    @Test("All of it may be taken, and not one byte more")
    func limit() {
        var line = MemoryQueue(byteCount: 10)
        let answers = [line.acquire(for: 11), line.acquire(for: 10)]
        #expect(answers == [.exceedsTotal, .granted] && line.usedByteCount == 10)
        let isMore = line.tryAcquire(1)
        let granted = line.release(10)
        #expect(!isMore && granted.isEmpty && line.usedByteCount == 0)
        let next = line.acquire(for: 9)
        let (isLast, isTooMuch) = (line.tryAcquire(1), line.tryAcquire(1))
        #expect(next == .granted && isLast && !isTooMuch)
    }

    @Test("Who waits is served in the order of asking, also past one that would fit")
    func order() {
        var line = MemoryQueue(byteCount: 10)
        let answers = [line.acquire(for: 6), line.acquire(for: 8), line.acquire(for: 1), line.acquire(for: 2)]
        #expect(answers == [.granted, .queued(id: 1), .queued(id: 2), .queued(id: 3)] && line.waitingCount == 3)
        var granted = line.release(3)
        #expect(granted.isEmpty && line.usedByteCount == 3)
        granted = line.release(3)
        #expect(granted == [1, 2] && line.usedByteCount == 9)
        granted = line.release(1)
        #expect(granted == [3] && line.waitingCount == 0 && line.usedByteCount == 10)
        granted = line.release(10)
        #expect(granted.isEmpty && line.usedByteCount == 0)
    }
}
