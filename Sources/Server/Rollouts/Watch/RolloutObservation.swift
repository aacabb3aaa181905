import HearthCatalog

/// What a server has seen of a device of a guarded release, for the server that watches the release.
package struct RolloutObservation: Sendable, Hashable {
    /// Which version a device named as the one that it has.
    package enum Named: UInt8, Sendable, Hashable {
        case nothing
        /// That which it would get if the release did not exist.
        case baseline
        /// That of the release.
        case version
        case other
    }

    /// Why a device says that it does not install the version of the release.
    package enum Obstacle: UInt8, Sendable, Hashable {
        case rejected = 1
        case storage
    }

    /// A question for the model, about which the draw decided.
    package struct Call: Sendable, Hashable {
        /// In the draw of the release, 0 to 999,999.
        package var place: Int
        package var named: Named
        /// A part of the hash of the version that it named, so that a change of what it has can be told from a change of
        /// what it is to have.
        package var tag: UInt16
        /// Whether it would download nothing now.
        package var isWaiting: Bool
        package var obstacle: Obstacle?

        package init(
            place: Int, named: Named, tag: UInt16 = 0, isWaiting: Bool = false, obstacle: Obstacle? = nil
        ) {
            self.place = place
            self.named = named
            self.tag = tag
            self.isWaiting = isWaiting
            self.obstacle = obstacle
        }
    }

    package enum Event: Sendable, Hashable {
        case called(Call)
        /// It reported about a version of the model: that of the release, or another one.
        case reported(isOfVersion: Bool, RolloutWatch.Report)
        /// It was deleted, or gets its version for another reason than the draw.
        case left
        /// The release is not for it now.
        case outside
    }

    /// The hash of the installation's id.
    package var device: UInt64
    /// Since 1970, by the clock of the server that it called.
    package var seconds: Int64
    package var event: Event

    package init(device: UInt64, atSeconds seconds: Int64, _ event: Event) {
        self.device = device
        self.seconds = seconds
        self.event = event
    }
}

/// The stored form: a byte, and records of 20 bytes, little-endian. Servers before this form wrote records of 18 bytes and
/// nothing else; no length is of both forms.
extension RolloutObservation {
    private static let form: UInt8 = 2
    private static let recordBytes = 8 + 4 + 1 + 1 + 4 + 2
    private static let formerRecordBytes = 18

    /// What a stored piece holds.
    package enum Piece: Sendable, Hashable {
        case observations([RolloutObservation])
        /// Of the form before this one. What that server sees is unknown.
        case former
        case damaged
    }

    package static func bytes(_ observations: [RolloutObservation]) -> [UInt8] {
        var bytes = [form]
        bytes.reserveCapacity(1 + observations.count * recordBytes)
        for each in observations {
            bytes.append(each.device)
            bytes.append(UInt32(clamping: each.seconds))
            switch each.event {
            case .called(let call):
                bytes.append(0 as UInt8)
                bytes.append(call.named.rawValue | (call.isWaiting ? 4 : 0) | (call.obstacle?.rawValue ?? 0) << 3)
                bytes.append(UInt32(clamping: call.place))
                bytes.append(call.tag)
            case .reported(let isOfVersion, let report):
                bytes.append(isOfVersion ? 2 : 1 as UInt8)
                bytes.append(report.flags)
                bytes.append(Float(report.logRunTime ?? 0).bitPattern)
                bytes.append(0 as UInt16)
            case .left: bytes += [3] + [UInt8](repeating: 0, count: 7)
            case .outside: bytes += [4] + [UInt8](repeating: 0, count: 7)
            }
        }
        return bytes
    }

    package static func piece(_ bytes: [UInt8]) -> Piece {
        if !bytes.isEmpty, bytes.count % formerRecordBytes == 0 { return .former }
        guard bytes.first == form, (bytes.count - 1) % recordBytes == 0 else { return .damaged }
        var found: [RolloutObservation] = []
        found.reserveCapacity(bytes.count / recordBytes)
        for start in stride(from: 1, to: bytes.count, by: recordBytes) {
            guard let event = event(bytes, start + 12) else { return .damaged }
            let seconds: UInt32 = bytes.number(start + 8)
            found.append(RolloutObservation(device: bytes.number(start), atSeconds: Int64(seconds), event))
        }
        return .observations(found)
    }

    private static func event(_ bytes: [UInt8], _ start: Int) -> Event? {
        let flags = bytes[start + 1]
        let number: UInt32 = bytes.number(start + 2)
        switch bytes[start] {
        case 0:
            guard let named = Named(rawValue: flags & 3), number < UInt32(Release.fullShare) else { return nil }
            return .called(
                Call(
                    place: Int(number), named: named, tag: bytes.number(start + 6), isWaiting: flags & 4 != 0,
                    obstacle: Obstacle(rawValue: flags >> 3)))
        case 1, 2:
            let time = Double(Float(bitPattern: number))
            return .reported(
                isOfVersion: bytes[start] == 2, RolloutWatch.Report(flags: flags, logRunTime: time))
        case 3: return .left
        case 4: return .outside
        default: return nil
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
