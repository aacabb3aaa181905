import Dispatch
import Foundation
import HearthPlatform
import Synchronization
import Testing

@Suite("The memory of camera frames")
struct CVPixelBufferTests {
    private static func create(_ width: Int, _ height: Int, _ format: OSType) -> (
        status: CVReturn, buffer: CVPixelBuffer?
    ) {
        var buffer: CVPixelBuffer?
        let attributes: CFDictionary = [
            kCVPixelBufferCGImageCompatibilityKey: true, kCVPixelBufferPixelFormatTypeKey as String: format,
        ]
        let status = CVPixelBufferCreate(kCFAllocatorDefault, width, height, format, attributes, &buffer)
        return (status, buffer)
    }

    @Test("the usual loop over a camera's pixels: lock, rows by their stride, unlock")
    func reading() throws {
        let bytes = Data((0..<28).map { UInt8($0) })
        let buffer = CVPixelBuffer(
            width: 3, height: 2, pixelFormatType: kCVPixelFormatType_32BGRA, planes: [.init(bytes, bytesPerRow: 16)])
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil, "not locked")
        #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        let base = try #require(CVPixelBufferGetBaseAddress(buffer))
        #expect(CVPixelBufferGetBytesPerRow(buffer) == 16 && CVPixelBufferGetDataSize(buffer) == 28)
        var blue: [UInt8] = []
        for row in 0..<CVPixelBufferGetHeight(buffer) {
            let line = base + row * CVPixelBufferGetBytesPerRow(buffer)
            for column in 0..<CVPixelBufferGetWidth(buffer) {
                blue.append(line.load(fromByteOffset: 4 * column, as: UInt8.self))
            }
        }
        #expect(blue == [0, 4, 8, 16, 20, 24])
        #expect(CVPixelBufferUnlockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
        #expect(CVPixelBufferUnlockBaseAddress(buffer, []) == kCVReturnInvalidArgument)
        #expect(bytes.first == 0 && buffer.planes.first?.bytes == bytes)
    }

    @Test("what is written while it is locked is what the frame holds, tiny ones too", arguments: [1, 2, 100])
    func writing(width: Int) throws {
        let original = Data(repeating: 7, count: width * 4)
        let buffer = CVPixelBuffer(
            width: width, height: 1, pixelFormatType: kCVPixelFormatType_32BGRA,
            planes: [.init(original, bytesPerRow: width * 4)])
        for value in [1, 2] as [UInt8] {
            CVPixelBufferLockBaseAddress(buffer, CVPixelBufferLockFlags(rawValue: 0))
            let base = try #require(CVPixelBufferGetBaseAddress(buffer))
            memset(base, Int32(value), width * 4)
            CVPixelBufferUnlockBaseAddress(buffer, [])
            #expect(buffer.planes.map(\.bytes) == [Data(repeating: value, count: width * 4)])
        }
        #expect(original.allSatisfy { $0 == 7 }, "what it was made from stays as it was")
    }

    @Test("locks count, and the address stays the same")
    func nested() throws {
        let buffer = try #require(Self.create(8, 8, kCVPixelFormatType_32BGRA).buffer)
        CVPixelBufferLockBaseAddress(buffer, [])
        let first = CVPixelBufferGetBaseAddress(buffer)
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        #expect(first != nil && CVPixelBufferGetBaseAddress(buffer) == first)
        CVPixelBufferUnlockBaseAddress(buffer, [])
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil)
    }

    @Test("a new buffer is black, and has the planes of its format")
    func creation() throws {
        let packed = Self.create(3, 2, kCVPixelFormatType_32BGRA)
        #expect(packed.status == kCVReturnSuccess)
        let first = try #require(packed.buffer)
        #expect(first.planes.map(\.bytes) == [Data(count: 24)] && !CVPixelBufferIsPlanar(first))
        #expect(CVPixelBufferGetPlaneCount(first) == 0)
        let planar = Self.create(3, 3, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
        let second = try #require(planar.buffer)
        #expect(CVPixelBufferGetPlaneCount(second) == 2 && CVPixelBufferGetBytesPerRow(second) == 6)
        #expect((0..<3).map { CVPixelBufferGetWidthOfPlane(second, $0) } == [3, 2, 0])
        #expect((0..<3).map { CVPixelBufferGetHeightOfPlane(second, $0) } == [3, 2, 0])
        #expect((-1..<3).map { CVPixelBufferGetBytesPerRowOfPlane(second, $0) } == [0, 3, 4, 0])
        CVPixelBufferLockBaseAddress(second, [])
        #expect(CVPixelBufferGetBaseAddress(second) == nil, "of several planes each has its own")
        let planes = (0..<2).compactMap { CVPixelBufferGetBaseAddressOfPlane(second, $0) }
        #expect(planes.count == 2 && planes.first != planes.last)
        #expect(CVPixelBufferGetBaseAddressOfPlane(second, 2) == nil)
        #expect(CVPixelBufferGetBaseAddressOfPlane(second, -1) == nil)
        CVPixelBufferUnlockBaseAddress(second, [])
    }

    @Test("sizes and formats that cannot be are refused, up to the longest side")
    func refusals() {
        let format = kCVPixelFormatType_32BGRA
        for (width, height) in [(0, 1), (1, 0), (-1, 5), ((1 << 28) + 1, 1), (1, .max), (.min, 1)] {
            let made = Self.create(width, height, format)
            #expect(made.status == kCVReturnInvalidSize && made.buffer == nil)
        }
        #expect(Self.create(1 << 28, 1 << 28, format).status == kCVReturnAllocationFailed)
        #expect(Self.create(2, 2, 24).status == kCVReturnInvalidPixelFormat)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
        defer { memory.deallocate() }
        for (width, bytesPerRow, expected) in [
            (2, 7, kCVReturnInvalidArgument), (2, .max, kCVReturnInvalidArgument), (0, 8, kCVReturnInvalidSize),
        ] {
            var buffer: CVPixelBuffer?
            let status = CVPixelBufferCreateWithBytes(
                nil, width, 2, format, memory, bytesPerRow, nil, nil, nil, &buffer)
            #expect(status == expected && buffer == nil)
        }
    }

    @Test("a camera's own memory is used without a copy, and given back once")
    func wrapping() throws {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 3, count: 64)
        let returned = DispatchSemaphore(value: 0)
        var buffer: CVPixelBuffer?
        let status = CVPixelBufferCreateWithBytes(
            kCFAllocatorDefault, 4, 4, kCVPixelFormatType_32BGRA, memory, 16,
            { context, bytes in
                #expect(bytes == UnsafeRawPointer(memory) && context == nil)
                memory.deallocate()
                returned.signal()
            }, nil, nil, &buffer)
        #expect(status == kCVReturnSuccess)
        var planes = buffer?.planes
        if let buffer {
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
            #expect(CVPixelBufferGetBaseAddress(buffer) == memory)
            CVPixelBufferUnlockBaseAddress(buffer, .readOnly)
        }
        memory.storeBytes(of: 9, as: UInt8.self)
        #expect(planes?.first?.bytes.first == 9)
        buffer = nil
        #expect(returned.wait(timeout: .now()) == .timedOut, "an image of it is still held")
        planes = nil
        #expect(returned.wait(timeout: .now()) == .success)
    }

    /// Looks at its frame when it gets the frame's memory back.
    private final class Camera: Sendable {
        let frame = Mutex<CVPixelBuffer?>(nil)
        let sizes = Mutex<[Int]>([])

        func makeFrame() -> CVPixelBuffer {
            let bytes = Data(
                bytesNoCopy: .allocate(byteCount: 1024, alignment: 16), count: 1024,
                deallocator: .custom { address, _ in
                    let size = self.frame.withLock { $0 }.map(CVPixelBufferGetDataSize)
                    self.sizes.withLock { $0.append(size ?? 0) }
                    address.deallocate()
                })
            let made = CVPixelBuffer(
                width: 16, height: 16, pixelFormatType: kCVPixelFormatType_32BGRA,
                planes: [.init(bytes, bytesPerRow: 64)])
            frame.withLock { $0 = made }
            return made
        }
    }

    @Test("whoever gets memory back at the first lock may ask the buffer")
    func releasing() {
        let camera = Camera()
        let buffer = camera.makeFrame()
        #expect(CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess)
        #expect(camera.sizes.withLock { $0 } == [1024], "once, when the frame has memory of its own")
        camera.frame.withLock { $0 = nil }
    }

    @Test("the sizes of a frame are the same before and after a lock")
    func sizes() {
        let planes = [
            CVPixelBuffer.Plane(Data(count: 3 * 8), bytesPerRow: 8), .init(Data(count: 2 * 10), bytesPerRow: 10),
        ]
        let buffer = CVPixelBuffer(
            width: 3, height: 3, pixelFormatType: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, planes: planes)
        for _ in 0..<2 {
            #expect(CVPixelBufferGetDataSize(buffer) == 44 && CVPixelBufferGetBytesPerRow(buffer) == 15)
            #expect(CVPixelBufferIsPlanar(buffer) && CVPixelBufferGetPlaneCount(buffer) == 2)
            #expect((-1..<3).map { CVPixelBufferGetBytesPerRowOfPlane(buffer, $0) } == [0, 8, 10, 0])
            #expect((-1..<3).map { CVPixelBufferGetWidthOfPlane(buffer, $0) } == [0, 3, 2, 0])
            CVPixelBufferLockBaseAddress(buffer, .readOnly)
        }
    }

    @Test("a lock on planes that are none fails nothing")
    func empty() {
        let buffer = CVPixelBuffer(width: 2, height: 2, pixelFormatType: 24, planes: [])
        #expect(CVPixelBufferLockBaseAddress(buffer, []) == kCVReturnSuccess)
        #expect(CVPixelBufferGetBaseAddress(buffer) == nil && CVPixelBufferGetBytesPerRow(buffer) == 0)
        let short = CVPixelBuffer(
            width: 2, height: 2, pixelFormatType: kCVPixelFormatType_32BGRA, planes: [.init(Data(), bytesPerRow: 8)])
        CVPixelBufferLockBaseAddress(short, [])
        #expect(CVPixelBufferGetBaseAddress(short) != nil && CVPixelBufferGetDataSize(short) == 0)
    }

    @Test("the numbers and names of CoreVideo")
    func names() {
        #expect(CVPixelBufferLockFlags.readOnly.rawValue == CVOptionFlags(1))
        #expect([kCVReturnSuccess, kCVReturnInvalidArgument, kCVReturnAllocationFailed] == [0, -6661, -6662])
        #expect([kCVReturnInvalidPixelFormat, kCVReturnInvalidSize] == [-6680, -6681])
        let settings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        #expect(settings["PixelFormatType"] == 1_111_970_369)
    }
}
