import HearthCatalog

/// The stored form of a watch: its tests as text, and its devices as fixed records of 24 bytes, little-endian.
extension RolloutWatch {
    /// The parts of a watch that are stored.
    package struct Stored: Sendable, Hashable {
        /// The tests, for `Codable`.
        package var tests: Tests
        package var devices: [UInt8]
        package var outside: [UInt8]

        package init(tests: Tests, devices: [UInt8], outside: [UInt8]) {
            self.tests = tests
            self.devices = devices
            self.outside = outside
        }
    }

    package struct Tests: Sendable, Hashable, Codable {
        var rates: [RateTest]
        var time: TimeTest
        var highestBelow: UInt64
        var periodStart: Int64
    }

    private static let recordBytes = 8 + 1 + 8 + 1 + 1 + 4 + 1

    package var stored: Stored {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(devices.count * Self.recordBytes)
        for (id, device) in devices.sorted(by: { $0.key < $1.key }) {
            Self.append(id, to: &bytes)
            bytes.append(device.flags)
            // Seconds since 1970 fit until 2106.
            Self.append(
                UInt64(UInt32(clamping: device.since)) << 32 | UInt64(UInt32(clamping: device.lastCall)), to: &bytes)
            bytes.append(device.failed)
            bytes.append(device.counted)
            withUnsafeBytes(of: UInt32(clamping: device.reportsSince).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(device.reported)
        }
        return Stored(
            tests: Tests(rates: rates, time: time, highestBelow: highestBelow, periodStart: periodStart),
            devices: bytes, outside: outside.bytes)
    }

    /// Nil if the stored form is damaged.
    ///
    /// - Parameter now: no device has had its version since a later moment, whatever its record says: the clock was ahead
    ///   when it was written.
    package init?(_ stored: Stored, atSeconds now: Int64) {
        guard stored.tests.rates.count == Guard.rates.count, stored.devices.count % Self.recordBytes == 0,
            let outside = OutsideDevices(stored.outside)
        else { return nil }
        var devices: [UInt64: Device] = [:]
        devices.reserveCapacity(stored.devices.count / Self.recordBytes)
        for start in stride(from: 0, to: stored.devices.count, by: Self.recordBytes) {
            let times = Self.number(stored.devices, start + 9)
            guard var device = Device(flags: stored.devices[start + 8]) else { return nil }
            device.since = min(Int64(times >> 32), now)
            device.lastCall = Int64(times & 0xFFFF_FFFF)
            device.failed = stored.devices[start + 17]
            device.counted = stored.devices[start + 18]
            device.reportsSince = (0..<4).reduce(0) { $0 | Int64(stored.devices[start + 19 + $1]) << (8 * Int64($1)) }
            device.reported = stored.devices[start + 23]
            devices[Self.number(stored.devices, start)] = device
        }
        self.init(stored.tests, devices, outside)
    }

    static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The eight bytes from `start` on.
    static func number(_ bytes: [UInt8], _ start: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * UInt64($1)) }
    }
}

extension RolloutWatch.Device {
    /// The arm and the marks in one byte; the number of returns without the version in the highest bits.
    var flags: UInt8 {
        UInt8(arm.rawValue) | (hasCalled ? 2 : 0) | (hasReported ? 4 : 0) | (isOffered ? 8 : 0) | min(without, 15) << 4
    }

    init?(flags: UInt8) {
        guard let arm = Arm(rawValue: Int(flags & 1)) else { return nil }
        self.init(arm: arm, lastCall: 0)
        hasCalled = flags & 2 != 0
        hasReported = flags & 4 != 0
        isOffered = flags & 8 != 0
        without = flags >> 4
    }
}
