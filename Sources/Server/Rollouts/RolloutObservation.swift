import HearthCatalog

/// What a server has seen of a device of a guarded release, for the server that watches the release.
package struct RolloutObservation: Sendable, Hashable {
    package enum Event: Sendable, Hashable {
        /// It called, and the draw gave it that version.
        case called(Arm, namesOwn: Bool)
        /// It reported about that version. Counts only if the draw gave it that version at its last call.
        case reported(Arm, RolloutWatch.Report)
        /// It was deleted, or gets its version for another reason than the draw.
        case left
    }

    /// The hash of the installation's id.
    package var device: UInt64
    package var event: Event

    package init(device: UInt64, _ event: Event) {
        self.device = device
        self.event = event
    }
}

extension RolloutWatch {
    /// - Parameter now: the same for all devices, so not a time that another server has measured.
    package mutating func observe(_ observation: RolloutObservation, atSeconds now: Int64) {
        switch observation.event {
        case .called(let arm, let namesOwn): called(observation.device, arm, namesOwn: namesOwn, atSeconds: now)
        case .reported(let arm, let report):
            guard has(observation.device, in: arm) else { return }
            reported(observation.device, arm, report, atSeconds: now)
        case .left: forget(observation.device)
        }
    }
}

/// The stored form: records of 18 bytes, little-endian.
extension RolloutObservation {
    private static let recordBytes = 8 + 1 + 1 + 8

    package static func bytes(_ observations: [RolloutObservation]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(observations.count * recordBytes)
        for each in observations {
            RolloutWatch.append(each.device, to: &bytes)
            let (kind, report) = each.parts
            bytes.append(kind)
            bytes.append(report?.flags ?? 0)
            RolloutWatch.append(report?.logRunTime?.bitPattern ?? 0, to: &bytes)
        }
        return bytes
    }

    /// Nil if the stored form is damaged.
    package static func observations(_ bytes: [UInt8]) -> [RolloutObservation]? {
        guard bytes.count % recordBytes == 0 else { return nil }
        var found: [RolloutObservation] = []
        found.reserveCapacity(bytes.count / recordBytes)
        for start in stride(from: 0, to: bytes.count, by: recordBytes) {
            let (kind, flags) = (bytes[start + 8], bytes[start + 9])
            guard let arm = Arm(rawValue: Int(kind & 1)) else { return nil }
            let event: Event
            switch kind >> 2 {
            case 0: event = .called(arm, namesOwn: kind & 2 != 0)
            case 1:
                let time = Double(bitPattern: RolloutWatch.number(bytes, start + 10))
                event = .reported(arm, RolloutWatch.Report(flags: flags, logRunTime: time))
            case 2: event = .left
            default: return nil
            }
            found.append(RolloutObservation(device: RolloutWatch.number(bytes, start), event))
        }
        return found
    }

    private var parts: (kind: UInt8, report: RolloutWatch.Report?) {
        switch event {
        case .called(let arm, let namesOwn): (UInt8(arm.rawValue) | (namesOwn ? 2 : 0), nil)
        case .reported(let arm, let report): (UInt8(arm.rawValue) | 1 << 2, report)
        case .left: (2 << 2, nil)
        }
    }
}

extension RolloutWatch.Report {
    fileprivate var flags: UInt8 {
        (loadFailed ? 1 : 0) | (crashed ? 2 : 0) | (runFailed ? 4 : 0) | (hasLoaded ? 8 : 0) | (hasRun ? 16 : 0)
            | (logRunTime == nil ? 0 : 32)
    }

    fileprivate init(flags: UInt8, logRunTime: Double) {
        self.init(
            loadFailed: flags & 1 != 0, crashed: flags & 2 != 0, runFailed: flags & 4 != 0, hasLoaded: flags & 8 != 0,
            hasRun: flags & 16 != 0, logRunTime: flags & 32 != 0 && logRunTime.isFinite ? logRunTime : nil)
    }
}
