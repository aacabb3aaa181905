import HearthCatalog

/// The stored form of a watch: its tests as text, and its devices as fixed records, little-endian.
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
        var sinceSeconds: Int64
        var places: DrawPlaces
        var rates: [RateTest]
        var time: TimeTest
        var counts: Counts
        var highest: [UInt64]
        var periodStart: Int64
        var freshSeconds: Int64

        /// Whether the numbers are as many as there must be, and such that no sum of them is too large.
        fileprivate var isWhole: Bool {
            rates.count == Guard.rates.count && highest.count == Arm.allCases.count && rates.allSatisfy(\.isWhole)
                && time.isWhole && places.isWhole && counts.isWhole
                && [sinceSeconds, periodStart, freshSeconds].allSatisfy((0...Int64(1) << 40).contains)
        }
    }

    package var stored: Stored {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(devices.count * WatchedDevice.recordBytes)
        for (id, device) in devices.sorted(by: { $0.key < $1.key }) {
            bytes.append(id)
            device.append(to: &bytes)
        }
        return Stored(tests: tests, devices: bytes, outside: seen.bytes)
    }

    /// Nil if the stored form is damaged.
    ///
    /// - Parameter now: nothing has happened at a later moment, whatever the records say: the clock was ahead when they
    ///   were written.
    package init?(_ stored: Stored, atSeconds now: Int64) {
        guard stored.tests.isWhole, stored.devices.count % WatchedDevice.recordBytes == 0,
            let seen = SeenDevices(stored.outside)
        else { return nil }
        var devices: [UInt64: WatchedDevice] = [:]
        devices.reserveCapacity(stored.devices.count / WatchedDevice.recordBytes)
        for start in stride(from: 0, to: stored.devices.count, by: WatchedDevice.recordBytes) {
            guard var device = WatchedDevice(stored.devices, start + 8) else { return nil }
            for time in WatchedDevice.times { device[keyPath: time] = min(device[keyPath: time], now) }
            devices[stored.devices.number(start)] = device
        }
        self.init(stored.tests, devices, seen)
    }
}

extension WatchedDevice {
    /// With the hash.
    static let recordBytes = 8 + 4 + 4 * 5 + 12 + 8

    fileprivate static let times: [any WritableKeyPath<WatchedDevice, Int64> & Sendable] = [
        \.firstCall, \.lastCall, \.readySince, \.since, \.reportsSince,
    ]

    /// In place of a number of a share. `DrawPlaces` counts less far.
    private static let none: UInt8 = 255

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt32(clamping: place))
        // Seconds since 1970 fit until 2106.
        for time in Self.times { bytes.append(UInt32(clamping: self[keyPath: time])) }
        bytes.append(tag)
        bytes += [
            entered ?? Self.none, readyStage, min(without, 15) | min(untaken, 15) << 4, reported, failed, counted,
            marks.rawValue, time.skippedStage ?? Self.none, time.givenStage ?? Self.none, tried,
        ]
        bytes.append(time.sum.bitPattern)
        bytes.append(time.weight.bitPattern)
    }

    init?(_ bytes: [UInt8], _ start: Int) {
        func stage(_ place: Int) -> UInt8? { bytes[place] == Self.none ? nil : bytes[place] }
        let number: UInt32 = bytes.number(start)
        guard number < UInt32(Release.fullShare) else { return nil }
        self.init(place: Int(number), atSeconds: 0)
        for (index, time) in Self.times.enumerated() {
            let seconds: UInt32 = bytes.number(start + 4 + 4 * index)
            self[keyPath: time] = Int64(seconds)
        }
        tag = bytes.number(start + 24)
        let flags = start + 26
        entered = stage(flags)
        readyStage = bytes[flags + 1]
        (without, untaken) = (bytes[flags + 2] & 15, bytes[flags + 2] >> 4)
        (reported, failed, counted) = (bytes[flags + 3], bytes[flags + 4], bytes[flags + 5])
        marks = Marks(rawValue: bytes[flags + 6])
        (time.skippedStage, time.givenStage) = (stage(flags + 7), stage(flags + 8))
        tried = bytes[flags + 9]
        let sums: (UInt32, UInt32) = (bytes.number(start + 36), bytes.number(start + 40))
        guard Float(bitPattern: sums.0).isFinite, Float(bitPattern: sums.1).isFinite else { return nil }
        (time.sum, time.weight) = (Float(bitPattern: sums.0), Float(bitPattern: sums.1))
    }
}

extension [Int] {
    /// Whether all can be numbers of devices or of trials, which stored ones may not be.
    var areCounts: Bool { allSatisfy((0...Int(Int32.max)).contains) }
}
